# The targets come from the tree: one library for each line of src/layers.txt that has sources, which sees what the line says.
# A file's suffix decides where it goes:
#
#     x.cc        its module's library; src/cli/main.cc and src/python/ext.cc are the two faces of it all
#     x_test.cc   unit_tests
#     x_fuzz.cc   a program of its own, x_fuzz, with the main of tests/fuzz_main.cc
#     x_bench.cc  a program of its own, x_bench

add_compile_options(-Wall -Wextra -Wshadow -Wswitch-enum)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # Two that g++ 12 gets wrong in its own headers: `"a" + string` (its bug 105651), and moving a std::variant or std::optional.
  add_compile_options(-Wno-restrict -Wno-maybe-uninitialized)
endif()
if(TILEWRIGHT_WERROR)
  add_compile_options(-Werror)
endif()
if(TILEWRIGHT_SANITIZE)
  add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
elseif(NOT APPLE)
  # No symbol lookups at start-up, and nothing of the build machine's g++ needed where a wheel is installed.
  add_link_options(-static-libstdc++ -static-libgcc)
endif()

file(STRINGS src/layers.txt layers REGEX "^[a-z]")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/src/layers.txt)
set(modules "")
set(test_sources "")
set(alone_sources "")
foreach(layer IN LISTS layers)
  string(REGEX MATCHALL "[a-z]+" words "${layer}")
  list(POP_FRONT words module)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS src/${module}/*.cc)
  set(tests ${sources})
  list(FILTER tests INCLUDE REGEX "_test\\.cc$")
  list(APPEND test_sources ${tests})
  set(alone ${sources})
  list(FILTER alone INCLUDE REGEX "_(fuzz|bench)\\.cc$")
  list(APPEND alone_sources ${alone})
  list(FILTER sources EXCLUDE REGEX "_(test|fuzz|bench)\\.cc$|/(main|ext)\\.cc$")
  if(sources)
    add_library(${module} STATIC ${sources})
    set_target_properties(${module} PROPERTIES POSITION_INDEPENDENT_CODE ON)
    target_include_directories(${module} PUBLIC src)
    foreach(word IN LISTS words)
      if(TARGET ${word})
        target_link_libraries(${module} PUBLIC ${word})
      endif()
    endforeach()
    list(APPEND modules ${module})
  endif()
endforeach()

target_include_directories(base SYSTEM PRIVATE ${NLOHMANN_JSON_INCLUDE_DIR})
target_link_libraries(driver PUBLIC Threads::Threads)
set_source_files_properties(src/driver/version.cc PROPERTIES COMPILE_DEFINITIONS "TILEWRIGHT_VERSION=\"${PROJECT_VERSION}\"")

include(cmake/codes.cmake)
include(cmake/commands.cmake)
include(cmake/rules.cmake)

add_executable(tilewright src/cli/main.cc)
target_link_libraries(tilewright PRIVATE cli)

if(TILEWRIGHT_TESTS)
  add_executable(unit_tests ${test_sources})
  target_link_libraries(unit_tests PRIVATE ${modules} GTest::gtest_main Threads::Threads)
  add_executable(tilewright_tree tests/syntax/tree_main.cc)  # the parser as a server, for the judges beside it
  target_link_libraries(tilewright_tree PRIVATE syntax)
  list(APPEND alone_sources bench/tool/throughput.cc)
  foreach(source IN LISTS alone_sources)
    get_filename_component(name ${source} NAME_WE)
    add_executable(${name} ${source})
    target_link_libraries(${name} PRIVATE ${modules})
    if(name MATCHES "_fuzz$")
      target_sources(${name} PRIVATE tests/fuzz_main.cc)
    endif()
  endforeach()
endif()

if(DEFINED SKBUILD)
  find_package(Python 3.10 COMPONENTS Interpreter Development.Module REQUIRED)
  find_package(nanobind CONFIG REQUIRED)
  nanobind_add_module(_ext NB_STATIC NB_SUPPRESS_WARNINGS src/python/ext.cc)
  target_link_libraries(_ext PRIVATE driver)
  target_compile_options(nanobind-static PRIVATE -w)  # its sources are not ours to mend
  install(TARGETS _ext LIBRARY DESTINATION tilewright)
  install(TARGETS tilewright RUNTIME DESTINATION "${SKBUILD_SCRIPTS_DIR}")
endif()
