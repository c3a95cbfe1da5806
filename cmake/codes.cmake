# Every diagnostic code has a page, docs/codes/TWxxx.md, and every page a code: `tilewright explain TWxxx` prints it.
# The check runs in the build; a missing page and a forgotten one are warnings, and stop a build where warnings are errors.

file(GLOB_RECURSE code_sources CONFIGURE_DEPENDS src/*.cc src/*.h)
list(FILTER code_sources EXCLUDE REGEX "_test\\.cc$")
file(GLOB code_pages CONFIGURE_DEPENDS docs/codes/TW*.md src/rules/*/*.md)

set(pages_cc ${CMAKE_CURRENT_BINARY_DIR}/pages.cc)
add_custom_command(
  OUTPUT ${pages_cc}
  COMMAND ${CMAKE_COMMAND} -D ROOT=${CMAKE_CURRENT_SOURCE_DIR} -D OUT=${pages_cc} -D STRICT=${TILEWRIGHT_WERROR} -P ${CMAKE_CURRENT_SOURCE_DIR}/cmake/write_pages.cmake
  DEPENDS ${code_sources} ${code_pages} cmake/write_pages.cmake
  COMMENT "Pages of the diagnostic codes"
  VERBATIM)
target_sources(cli PRIVATE ${pages_cc})
