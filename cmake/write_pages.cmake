# cmake -D ROOT=… -D OUT=… -D STRICT=ON -P write_pages.cmake: writes pages.cc, the text of docs/codes/*.md by code and of src/rules/*/*.md by rule.

cmake_minimum_required(VERSION 3.25)  # a script has no policies from elsewhere

file(GLOB_RECURSE sources ${ROOT}/src/*.cc ${ROOT}/src/*.h)
list(FILTER sources EXCLUDE REGEX "_test\\.cc$")
set(codes "")
foreach(source IN LISTS sources)
  file(READ ${source} text)
  string(REGEX MATCHALL "[{(][ \n]*\"TW[0-9][0-9][0-9]\"" uses "${text}")
  foreach(use IN LISTS uses)
    string(REGEX MATCH "TW[0-9]+" code "${use}")
    list(APPEND codes ${code})
  endforeach()
endforeach()
list(REMOVE_DUPLICATES codes)
list(SORT codes)

file(GLOB pages RELATIVE ${ROOT}/docs/codes ${ROOT}/docs/codes/TW*.md)
set(wrong "")
foreach(code IN LISTS codes)
  if(NOT "${code}.md" IN_LIST pages)
    string(APPEND wrong "\n  ${code} has no page: write docs/codes/${code}.md")
  endif()
endforeach()

set(rows "")
foreach(page IN LISTS pages)
  string(REPLACE ".md" "" code ${page})
  if(NOT code IN_LIST codes)
    string(APPEND wrong "\n  docs/codes/${page} explains a code that nothing reports")
  endif()
  file(READ ${ROOT}/docs/codes/${page} text)
  foreach(heading "# ${code}: " "\n## What it means\n" "\n## Example\n" "\n## What to do\n")
    string(FIND "${text}" "${heading}" place)
    if(place EQUAL -1)
      string(STRIP "${heading}" heading)
      string(APPEND wrong "\n  docs/codes/${page} lacks the heading `${heading}`")
    endif()
  endforeach()
  string(APPEND rows "    {\"${code}\", R\"page(${text})page\"},\n")
endforeach()

file(GLOB rule_pages RELATIVE ${ROOT}/src/rules ${ROOT}/src/rules/*/*.md)
set(rules "")
foreach(page IN LISTS rule_pages)
  get_filename_component(stem ${page} NAME_WE)
  string(REPLACE "_" "-" name ${stem})
  list(APPEND rules "${name}=${page}")
endforeach()
list(SORT rules)
foreach(rule IN LISTS rules)
  string(REGEX MATCH "^(.*)=(.*)$" _ ${rule})
  set(name ${CMAKE_MATCH_1})
  file(READ ${ROOT}/src/rules/${CMAKE_MATCH_2} text)
  string(APPEND rows "    {\"${name}\", R\"page(${text})page\"},\n")
endforeach()
if(wrong AND STRICT)
  message(FATAL_ERROR "Pages of the diagnostic codes:${wrong}")
elseif(wrong)
  message(WARNING "Pages of the diagnostic codes:${wrong}")
endif()

file(WRITE ${OUT}.new "// Written by cmake/write_pages.cmake from docs/codes and src/rules.

#include \"cli/pages.h\"

namespace tilewright::cli {

static constexpr Page all_pages[] = {
${rows}};

std::span<const Page> pages() { return all_pages; }

}  // namespace tilewright::cli
")
file(COPY_FILE ${OUT}.new ${OUT} ONLY_IF_DIFFERENT)
