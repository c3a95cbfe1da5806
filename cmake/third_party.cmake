# Third-party parts come as wheels, so that `pip install .` needs nothing else; a Debian package serves as well.
# A developer's build finds the wheels of the active virtual environment.

find_package(Threads REQUIRED)

function(find_wheel_header variable header suffix wheel debian)
  find_path(${variable} ${header} PATH_SUFFIXES ${suffix})
  if(NOT ${variable})
    find_package(Python COMPONENTS Interpreter QUIET)  # that of an active virtual environment first
    find_path(${variable} ${header} PATHS ${Python_SITELIB} PATH_SUFFIXES ${suffix})
  endif()
  if(NOT ${variable})
    message(FATAL_ERROR "no ${header}: run `pip install ${wheel}` or `apt-get install ${debian}`")
  endif()
endfunction()

find_wheel_header(NLOHMANN_JSON_INCLUDE_DIR nlohmann/json.hpp nlohmann_json/include nlohmann-json==3.12.0 nlohmann-json3-dev)
find_wheel_header(EIGEN_INCLUDE_DIR Eigen/Core "cmeel.prefix/include/eigen3;eigen3" cmeel-eigen==3.4.1 libeigen3-dev)

# The executable asks for memory so often that a quick allocator makes it a seventh faster. Without the wheel, and under the
# sanitizers, which have one of their own, it takes the system's.
find_package(Python COMPONENTS Interpreter QUIET)
find_library(MIMALLOC_LIBRARY libmimalloc.a PATHS ${Python_SITELIB} PATH_SUFFIXES cmeel.prefix/lib/mimalloc-3.4 NO_DEFAULT_PATH)
find_path(MIMALLOC_INCLUDE_DIR mimalloc.h PATHS ${Python_SITELIB} PATH_SUFFIXES cmeel.prefix/include/mimalloc-3.4 NO_DEFAULT_PATH)

if(TILEWRIGHT_TESTS)
  find_package(GTest REQUIRED)
endif()
