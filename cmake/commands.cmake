# A command is a file of src/cli/commands: `convert.cc` defines `extern constinit const Command convert` in tilewright::cli::commands. Nothing else lists it.

file(GLOB command_sources RELATIVE ${CMAKE_CURRENT_SOURCE_DIR}/src/cli/commands CONFIGURE_DEPENDS src/cli/commands/*.cc)
list(FILTER command_sources EXCLUDE REGEX "_test\\.cc$")
set(declarations "")
set(rows "")
foreach(source IN LISTS command_sources)
  string(REPLACE ".cc" "" name ${source})
  string(APPEND declarations "extern const Command ${name};\n")
  string(APPEND rows "    &commands::${name},\n")
endforeach()
file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/commands.cc @ONLY CONTENT [[
// Written by cmake/commands.cmake from the names of src/cli/commands.

#include "cli/command.h"

namespace tilewright::cli::commands {

@declarations@
}  // namespace tilewright::cli::commands

namespace tilewright::cli {

static constexpr const Command* table[] = {
@rows@};

std::span<const Command* const> all_commands() { return table; }

}  // namespace tilewright::cli
]])
target_sources(cli PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/commands.cc)
