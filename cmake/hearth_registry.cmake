# The folder is the registry: one explicit register_<file>() call per component, written by the build.
#   hearth_registry(out Trace hearth/train/trace.h hearth/train/traces [more folders])
# Folders are read with all that lies below them.
include_guard()

# "SampleOp" to "sample_op".
function(hearth_kind_name out base)
  string(REGEX REPLACE "([a-z])([A-Z])" "\\1_\\2" kind ${base})
  string(TOLOWER ${kind} kind)
  set(${out} ${kind} PARENT_SCOPE)
endfunction()

# The sources of components in some folders.
function(hearth_component_sources out)
  set(files)
  foreach(folder ${ARGN})
    file(GLOB_RECURSE found CONFIGURE_DEPENDS ${folder}/*.cpp)
    list(FILTER found EXCLUDE REGEX "_test\\.cpp$")
    list(APPEND files ${found})
  endforeach()
  set(${out} ${files} PARENT_SCOPE)
endfunction()

# Writes the definition of a kind's registry: hearth_write_registry(file Trace hearth/train/trace.h SOURCE...)
function(hearth_write_registry file base header)
  hearth_kind_name(kind ${base})
  set(names)
  foreach(source ${ARGN})
    get_filename_component(name ${source} NAME_WE)
    list(APPEND names ${name})
  endforeach()
  list(SORT names)
  set(declarations "")
  set(calls "")
  foreach(name ${names})
    string(APPEND declarations "void register_${name}(Registry<${base}>&);\n")
    string(APPEND calls "    ${kind}s::register_${name}(filled);\n")
  endforeach()
  file(CONFIGURE OUTPUT ${file} CONTENT
"// Written by the build from the files in the kind's folders.
#include \"hearth/config/registry.h\"
#include \"${header}\"

namespace hearth {

namespace ${kind}s {
@declarations@}  // namespace ${kind}s

Registry<${base}>& KindOf<${base}>::registry() {
  static Registry<${base}> registry = [] {
    Registry<${base}> filled;
@calls@    return filled;
  }();
  return registry;
}

}  // namespace hearth
" @ONLY)
endfunction()

function(hearth_registry out base header)
  hearth_kind_name(kind ${base})
  string(REPLACE ";" " " folders "${ARGN}")
  set_property(GLOBAL APPEND PROPERTY HEARTH_KINDS "${kind} ${base} ${header} ${folders}")
  set(places ${ARGN})
  list(TRANSFORM places PREPEND ${PROJECT_SOURCE_DIR}/)
  hearth_component_sources(sources ${places})
  set(file ${PROJECT_BINARY_DIR}/generated/register_${kind}.cpp)
  hearth_write_registry(${file} ${base} ${header} ${sources})
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
