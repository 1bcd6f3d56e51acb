# A Debian package of all that `cmake --install` installs: tools/package makes it.
include_guard()
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME hearth)
set(CPACK_PACKAGE_CONTACT "Hearth's authors")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "training of deep networks in C++20 on LibTorch")
set(CPACK_PACKAGE_DESCRIPTION "A library, and one program driven by a YAML file: data, loop, schedules, metrics,
checkpoints, prediction and a command line on LibTorch's tensors.")
set(CPACK_PACKAGING_INSTALL_PREFIX ${CMAKE_INSTALL_PREFIX})
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
# What the libraries and the program load; dpkg-shlibdeps finds it in their headers.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${HEARTH_STAGE}/lib)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
# The BLAS that the library names by its folder, /usr/lib/<machine>/openblas-<threads>.
if(HEARTH_BLAS_FOLDER)
  get_filename_component(blas ${HEARTH_BLAS_FOLDER} NAME)
  string(REPLACE openblas- libopenblas0- blas ${blas})
  set(CPACK_DEBIAN_PACKAGE_DEPENDS ${blas})
endif()
# To build programs and plugins with it.
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "libtorch-dev, nlohmann-json3-dev, cmake, g++")
include(CPack)
