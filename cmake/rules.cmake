# A rule is rules/<group>/<rule>.cc with its page, <rule>.md, beside it. Nothing else lists it: the catalogue is written from the
# file names when CMake runs, and a missing page stops it.

file(GLOB rule_sources RELATIVE ${CMAKE_CURRENT_SOURCE_DIR}/src/rules CONFIGURE_DEPENDS src/rules/*/*.cc)
list(FILTER rule_sources EXCLUDE REGEX "_test\\.cc$")
file(GLOB rule_pages RELATIVE ${CMAKE_CURRENT_SOURCE_DIR}/src/rules CONFIGURE_DEPENDS src/rules/*/*.md)
set(declarations "")
set(rows "")
set(wrong "")
foreach(source IN LISTS rule_sources)
  string(REGEX MATCH "^(.*)/(.*)\\.cc$" _ ${source})
  set(group ${CMAKE_MATCH_1})
  set(stem ${CMAKE_MATCH_2})
  set(page ${group}/${stem}.md)
  if(NOT page IN_LIST rule_pages)
    string(APPEND wrong "\n  rules/${source} has no page: write src/rules/${page}")
    continue()
  endif()
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/src/rules/${page})
  file(READ src/rules/${page} text)
  string(REPLACE "_" "-" name ${stem})
  foreach(heading "# ${name}: " "\n## Why it matters\n" "\n## Found\n" "\n## Left alone\n" "\n## Measured\n")
    string(FIND "${text}" "${heading}" place)
    if(place EQUAL -1)
      string(STRIP "${heading}" heading)
      string(APPEND wrong "\n  src/rules/${page} lacks the heading `${heading}`")
    endif()
  endforeach()
  string(APPEND declarations "namespace ${stem} { extern const Rule rule; }\n")
  string(APPEND rows "    {\"${name}\", \"${group}\", R\"page(${text})page\", &${stem}::rule},\n")
endforeach()
if(wrong)
  message(FATAL_ERROR "Pages of the rules:${wrong}")
endif()
file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/catalogue.cc @ONLY CONTENT [[
// Written by cmake/rules.cmake from the names of src/rules.

#include "rules/rule.h"

namespace tilewright::rules {

@declarations@
static constexpr Entry entries[] = {
@rows@};

std::span<const Entry> catalogue() { return entries; }

}  // namespace tilewright::rules
]])
target_sources(rules PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/catalogue.cc)
