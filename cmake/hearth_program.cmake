# The `hearth` program: a thin front on hearth_core, and the engine it loads for commands with tensors.
include_guard()
find_package(CLI11 REQUIRED)

# The front knows no LibTorch. Its parts are a library of their own so that tests can link them.
file(GLOB front_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/cli/*.cpp)
list(FILTER front_sources EXCLUDE REGEX "(_test|/main)\\.cpp$")
hearth_command_list(front_sources cli/commands)
add_library(hearth_front STATIC ${front_sources})
target_link_libraries(hearth_front PUBLIC hearth_core CLI11::CLI11 PRIVATE hearth_flags ${CMAKE_DL_LIBS})
target_compile_definitions(hearth_front PRIVATE
  HEARTH_VERSION="${PROJECT_VERSION}"
  HEARTH_BUILD_TYPE="${CMAKE_BUILD_TYPE}"
  HEARTH_COMPILER="${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}"
  HEARTH_TORCH_VERSION="$<IF:$<BOOL:${Torch_VERSION}>,${Torch_VERSION},none>")
# Parsing a command line needs no speed; building it does.
target_compile_options(hearth_front PRIVATE $<$<CONFIG:Release>:-O1>)
target_precompile_headers(hearth_front PRIVATE <CLI/CLI.hpp> <nlohmann/json.hpp>)
set_target_properties(hearth_front PROPERTIES UNITY_BUILD ${HEARTH_UNITY} UNITY_BUILD_BATCH_SIZE 8)

add_executable(hearth_program ${PROJECT_SOURCE_DIR}/cli/main.cpp)
set_target_properties(hearth_program PROPERTIES OUTPUT_NAME hearth)
target_link_libraries(hearth_program PRIVATE hearth_front hearth_flags)
hearth_stage(hearth_program)

# Files the program reads lie in share/hearth beside it.
hearth_stage_files(templates ${PROJECT_SOURCE_DIR}/cli/templates)
# Names that a new component must not take.
file(GLOB_RECURSE headers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/hearth/*.h)
list(FILTER headers EXCLUDE REGEX "_test\\.h$")
set(type_names ${HEARTH_STAGE}/share/hearth/type_names.txt)
add_custom_command(OUTPUT ${type_names} VERBATIM
  DEPENDS ${headers} ${PROJECT_SOURCE_DIR}/cmake/hearth_type_names.cmake
  COMMAND ${CMAKE_COMMAND} -DROOT=${PROJECT_SOURCE_DIR} -DOUT=${type_names}
          -P ${PROJECT_SOURCE_DIR}/cmake/hearth_type_names.cmake)
set_property(GLOBAL APPEND PROPERTY HEARTH_STAGED_FILES ${type_names})
# Kinds of component, and their folders.
get_property(kinds GLOBAL PROPERTY HEARTH_KINDS)
list(JOIN kinds "\n" kinds)
file(CONFIGURE OUTPUT ${HEARTH_STAGE}/share/hearth/kinds.txt CONTENT "@kinds@\n" @ONLY)
get_property(staged_files GLOBAL PROPERTY HEARTH_STAGED_FILES)
add_custom_target(hearth_share ALL DEPENDS ${staged_files})
add_dependencies(hearth_share hearth_data)
add_dependencies(hearth_program hearth_share)

# What needs the net is loaded only then: libcurl brings dozens of libraries along.
pkg_check_modules(curl REQUIRED IMPORTED_TARGET libcurl)
file(GLOB net_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/cli/net/*.cpp)
add_library(hearth_net MODULE ${net_sources} ${PROJECT_SOURCE_DIR}/cli/table.cpp)
target_link_libraries(hearth_net PRIVATE hearth_core hearth_flags PkgConfig::curl ZLIB::ZLIB OpenSSL::Crypto)
target_compile_options(hearth_net PRIVATE $<$<CONFIG:Release>:-O1>)
set_target_properties(hearth_net PROPERTIES UNITY_BUILD ${HEARTH_UNITY})
hearth_stage(hearth_net)
add_dependencies(hearth_program hearth_net)

if(NOT TARGET hearth)
  return()
endif()

# The catalog of all components, asked of the library itself; rewritten only when it has changed.
add_executable(hearth_catalog ${PROJECT_SOURCE_DIR}/cli/catalog_tool/main.cpp)
target_link_libraries(hearth_catalog PRIVATE hearth hearth_flags)
set(catalog ${HEARTH_STAGE}/share/hearth/catalog.json)
set(fresh_catalog ${PROJECT_BINARY_DIR}/generated/catalog.json)
add_custom_command(OUTPUT ${fresh_catalog} BYPRODUCTS ${catalog} DEPENDS hearth_catalog hearth hearth_core VERBATIM
  COMMAND hearth_catalog > ${fresh_catalog}
  COMMAND ${CMAKE_COMMAND} -E copy_if_different ${fresh_catalog} ${catalog})
add_custom_target(hearth_catalog_file ALL DEPENDS ${fresh_catalog})
add_dependencies(hearth_program hearth_catalog_file)

# The engine: one function per command, int hearth_command_<name>(const void* arguments).
file(GLOB_RECURSE engine_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/cli/engine/*.cpp)
list(FILTER engine_sources EXCLUDE REGEX "_test\\.cpp$")
if(engine_sources)
  add_library(hearth_engine MODULE ${engine_sources})
  target_link_libraries(hearth_engine PRIVATE hearth hearth_flags)
  target_precompile_headers(hearth_engine PRIVATE cmake/torch_precompiled.h)
  set_target_properties(hearth_engine PROPERTIES UNITY_BUILD ${HEARTH_UNITY} UNITY_BUILD_BATCH_SIZE 8)
  hearth_stage(hearth_engine)
  add_dependencies(hearth_program hearth_engine)
endif()
