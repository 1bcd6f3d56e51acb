# `cmake --install`: libraries, headers, the program, its data, and what find_package(hearth) needs.
include_guard()
include(hearth_umbrella)

option(HEARTH_INSTALL "Install Hearth" ${PROJECT_IS_TOP_LEVEL})
if(NOT HEARTH_INSTALL)
  return()
endif()
include(CMakePackageConfigHelpers)
include(hearth_package)
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/hearth)

# What was staged is what is installed.
set_target_properties(hearth_core PROPERTIES EXPORT_NAME core)
install(TARGETS hearth_core EXPORT hearth LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
if(HEARTH_TORCH)
  install(TARGETS hearth EXPORT hearth LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
endif()
get_property(targets DIRECTORY PROPERTY BUILDSYSTEM_TARGETS)
foreach(target ${targets})
  get_target_property(type ${target} TYPE)
  get_target_property(folder ${target} RUNTIME_OUTPUT_DIRECTORY)
  if(folder STREQUAL "${HEARTH_STAGE}/bin" AND type MATCHES "EXECUTABLE|MODULE_LIBRARY")
    install(TARGETS ${target} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR}
                              LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
  endif()
endforeach()

install(DIRECTORY ${PROJECT_SOURCE_DIR}/hearth ${HEARTH_GENERATED}/hearth TYPE INCLUDE FILES_MATCHING
  PATTERN "*.h" PATTERN "*_internal.h" EXCLUDE PATTERN "*_test.h" EXCLUDE)
install(DIRECTORY ${HEARTH_STAGE}/share/ TYPE DATA)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs/ ${PROJECT_SOURCE_DIR}/examples TYPE DOC OPTIONAL)
foreach(page README.md CHANGELOG.md LICENSE)
  install(FILES ${PROJECT_SOURCE_DIR}/${page} TYPE DOC OPTIONAL)
endforeach()

# For builds without CMake; where the files lie follows from where the description does.
file(RELATIVE_PATH pkgconfig_to_prefix /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
foreach(name hearth_core hearth)
  if(TARGET ${name})
    configure_file(cmake/package/${name}.pc.in ${PROJECT_BINARY_DIR}/${name}.pc @ONLY)
    install(FILES ${PROJECT_BINARY_DIR}/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
  endif()
endforeach()

install(EXPORT hearth NAMESPACE hearth:: FILE hearthTargets.cmake DESTINATION ${package_folder})
get_property(HEARTH_KINDS GLOBAL PROPERTY HEARTH_KINDS)
configure_package_config_file(cmake/hearthConfig.cmake.in ${PROJECT_BINARY_DIR}/hearthConfig.cmake
  INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/hearthConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/hearthConfig.cmake ${PROJECT_BINARY_DIR}/hearthConfigVersion.cmake
  ${PROJECT_SOURCE_DIR}/cmake/hearth_registry.cmake ${PROJECT_SOURCE_DIR}/cmake/hearth_plugin.cmake
  DESTINATION ${package_folder})
