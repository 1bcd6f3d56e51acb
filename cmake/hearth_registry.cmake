# The folder is the registry: one explicit register_<file>() call a component, written by the build.
#   hearth_registry(out Trace hearth/train/trace.h hearth/train/traces [more folders])
include_guard()

function(hearth_registry out base header)
  set_property(GLOBAL APPEND PROPERTY HEARTH_REGISTRY_FOLDERS ${ARGN})  # for the umbrella header
  set(names)
  foreach(folder ${ARGN})
    file(GLOB files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${folder}/*.cpp)
    list(FILTER files EXCLUDE REGEX "_test\\.cpp$")
    foreach(file ${files})
      get_filename_component(name ${file} NAME_WE)
      list(APPEND names ${name})
    endforeach()
  endforeach()
  list(SORT names)
  set(declarations "")
  set(calls "")
  foreach(name ${names})
    string(APPEND declarations "void register_${name}(Registry<${base}>&);\n")
    string(APPEND calls "    register_${name}(filled);\n")
  endforeach()
  string(TOLOWER ${base} lower)
  set(file ${PROJECT_BINARY_DIR}/generated/register_${lower}.cpp)
  file(CONFIGURE OUTPUT ${file} CONTENT
"// Written by the build from the files in ${ARGN}.
#include \"hearth/config/registry.h\"
#include \"${header}\"

namespace hearth {

@declarations@
template <>
Registry<${base}>& registry<${base}>() {
  static Registry<${base}> registry = [] {
    Registry<${base}> filled;
@calls@    return filled;
  }();
  return registry;
}

}  // namespace hearth
" @ONLY)
  set(${out} ${${out}} ${file} PARENT_SCOPE)
endfunction()

# The same for the program's commands: register_all() calls register_<file>() for each file of a folder.
#   hearth_command_list(out cli/commands)
function(hearth_command_list out folder)
  file(GLOB files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${folder}/*.cpp)
  list(FILTER files EXCLUDE REGEX "_test\\.cpp$")
  list(SORT files)
  set(declarations "")
  set(calls "")
  foreach(source ${files})
    get_filename_component(name ${source} NAME_WE)
    string(APPEND declarations "void register_${name}(Commands& commands);\n")
    string(APPEND calls "  register_${name}(commands);\n")
  endforeach()
  set(file ${PROJECT_BINARY_DIR}/generated/register_commands.cpp)
  file(CONFIGURE OUTPUT ${file} CONTENT
"// Written by the build from the files in ${folder}.
#include \"cli/command.h\"

namespace hearth::cli {

@declarations@
void register_all(Commands& commands) {
@calls@}

}  // namespace hearth::cli
" @ONLY)
  set(${out} ${${out}} ${files} ${file} PARENT_SCOPE)
endfunction()
