# Compiler settings shared by every target: warnings, sanitizers, linker, ccache.
include_guard()

find_program(HEARTH_CCACHE ccache)
if(HEARTH_CCACHE AND PROJECT_IS_TOP_LEVEL AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env
      CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime ${HEARTH_CCACHE})
endif()

add_library(hearth_flags INTERFACE)
target_compile_features(hearth_flags INTERFACE cxx_std_20)
target_compile_options(hearth_flags INTERFACE -Wall -Wextra -Wshadow -Wnon-virtual-dtor)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # GCC 12 sees overflows in std::string's own code that are not there (GCC bugs 105329, 105651).
  target_compile_options(hearth_flags INTERFACE -Wno-restrict -Wno-array-bounds -Wno-stringop-overflow
                         -Wno-stringop-overread)
endif()
if(HEARTH_WARNINGS_AS_ERRORS)
  target_compile_options(hearth_flags INTERFACE -Werror)
endif()
if(HEARTH_SANITIZE)
  target_compile_options(hearth_flags INTERFACE -fsanitize=${HEARTH_SANITIZE} -fno-omit-frame-pointer -g1
                                                -fno-sanitize-recover=all)
  if(HEARTH_SANITIZE MATCHES "undefined" AND CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    # Null is found by its fault, and wrong sizes by the address sanitizer: these checks cost a third of the build.
    target_compile_options(hearth_flags INTERFACE -fno-sanitize=null,object-size,vptr)
  endif()
  target_link_options(hearth_flags INTERFACE -fsanitize=${HEARTH_SANITIZE})
endif()

find_program(HEARTH_MOLD mold)
if(HEARTH_MOLD AND NOT HEARTH_SANITIZE)
  target_link_options(hearth_flags INTERFACE -fuse-ld=mold)
endif()

# Sources of some folders, without tests: hearth_sources(out hearth/base hearth/config ...).
function(hearth_sources out)
  set(files)
  foreach(folder ${ARGN})
    file(GLOB_RECURSE found CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${folder}/*.cpp)
    list(APPEND files ${found})
  endforeach()
  list(FILTER files EXCLUDE REGEX "(_test|_fuzz)\\.cpp$")
  set(${out} ${files} PARENT_SCOPE)
endfunction()

function(hearth_tests_of out)
  set(files)
  foreach(folder ${ARGN})
    file(GLOB_RECURSE found CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${folder}/*_test.cpp)
    list(APPEND files ${found})
  endforeach()
  set(${out} ${files} PARENT_SCOPE)
endfunction()

# Code for processors with AVX2 and FMA, called only where kernels.h finds them. It stays alone in its object:
# an inline function compiled along with it would reach other processors too. The same for AVX-512.
function(hearth_vector_sources)
  set(vector_sources ${ARGN})
  list(FILTER vector_sources INCLUDE REGEX "_avx2\\.cpp$")
  set_source_files_properties(${vector_sources} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON
    SKIP_PRECOMPILE_HEADERS ON
    COMPILE_OPTIONS "-O3;-mavx2;-mfma;-fno-math-errno;-fno-trapping-math;-ffp-contract=fast")
  set(wide_vector_sources ${ARGN})
  list(FILTER wide_vector_sources INCLUDE REGEX "_avx512\\.cpp$")
  set_source_files_properties(${wide_vector_sources} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON
    SKIP_PRECOMPILE_HEADERS ON COMPILE_OPTIONS "-O3;-mavx512f;-Wno-uninitialized")  # GCC 12 warns of its own intrinsics
endfunction()

# Every library and program lies where an installed one would, so that both find each other alike.
set(HEARTH_STAGE ${PROJECT_BINARY_DIR}/stage)
function(hearth_stage target)
  set_target_properties(${target} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY ${HEARTH_STAGE}/bin
    LIBRARY_OUTPUT_DIRECTORY ${HEARTH_STAGE}/lib
    BUILD_RPATH_USE_ORIGIN ON
    BUILD_RPATH "$ORIGIN;$ORIGIN/../lib"
    INSTALL_RPATH "$ORIGIN;$ORIGIN/../${CMAKE_INSTALL_LIBDIR}")
endfunction()

# Compiles the files of a folder as one, up to sixteen at a time, so that a new file changes what is compiled
# with its neighbours only. Few files go with their parent folder's. HEARTH_ALONE says which folders, or files, stay
# single while somebody works on them: -DHEARTH_ALONE=hearth/nn/layers.
set(HEARTH_ALONE "" CACHE STRING "Regular expression of sources that are compiled alone")
function(hearth_unity target)
  get_target_property(files ${target} SOURCES)
  set(folders)
  foreach(file ${files})
    get_filename_component(folder ${file} DIRECTORY)
    list(APPEND folders ${folder})
    if(HEARTH_ALONE AND file MATCHES "${HEARTH_ALONE}")
      set_source_files_properties(${file} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
    endif()
  endforeach()
  foreach(file folder IN ZIP_LISTS files folders)
    set(same ${folders})
    list(FILTER same INCLUDE REGEX "^${folder}$")
    list(LENGTH same count)
    if(count LESS 4)
      get_filename_component(folder ${folder} DIRECTORY)
    endif()
    file(RELATIVE_PATH folder ${PROJECT_SOURCE_DIR} ${folder})
    string(MAKE_C_IDENTIFIER "${folder}" group)
    math(EXPR ${group}_files "0${${group}_files} + 1")
    math(EXPR number "${${group}_files} / 16")
    set_source_files_properties(${file} PROPERTIES UNITY_GROUP "${group}_${number}")
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${HEARTH_UNITY} UNITY_BUILD_MODE GROUP)
endfunction()
