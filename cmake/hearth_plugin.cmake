# A library of components that the program loads, for projects that use Hearth:
#   hearth_plugin(mine [FOLDER])
# Every source in FOLDER/layers, FOLDER/traces and so on, one folder for each kind, is a component; FOLDER is the
# current one when left out. Adding one is new files and no edits here either.
include_guard()

# The components in FOLDER/<kind>s, kind by kind, and the code that registers them all.
function(hearth_plugin target)
  set(folder ${CMAKE_CURRENT_SOURCE_DIR}/${ARGV1})
  set(sources)
  set(declarations "")
  set(calls "")
  get_property(kinds GLOBAL PROPERTY HEARTH_KINDS)
  foreach(kind ${kinds})
    separate_arguments(words UNIX_COMMAND "${kind}")
    list(POP_FRONT words name base)
    hearth_component_sources(found ${folder}/${name}s)
    list(APPEND sources ${found})
    foreach(source ${found})
      get_filename_component(component ${source} NAME_WE)
      string(APPEND declarations "namespace hearth::${name}s {\nvoid register_${component}(Registry<${base}>&);\n}\n")
      string(APPEND calls "  hearth::${name}s::register_${component}(hearth::registry<hearth::${base}>());\n")
    endforeach()
  endforeach()
  if(NOT sources)
    message(FATAL_ERROR "hearth_plugin(${target}): there is no component in ${folder}. `hearth new layer my_layer "
                        "--folder ${folder}/layers` writes one; other kinds lie in folders of their own.")
  endif()
  set(file ${CMAKE_CURRENT_BINARY_DIR}/${target}_plugin.cpp)
  file(CONFIGURE OUTPUT ${file} CONTENT
"// Written by the build from the files in ${folder}.
#include \"hearth/config/registry.h\"

@declarations@
extern \"C\" void hearth_register() {
@calls@}
" @ONLY)
  add_library(${target} MODULE ${sources} ${file})
  target_include_directories(${target} PRIVATE ${folder})
  target_link_libraries(${target} PRIVATE hearth::hearth)
endfunction()
