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
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # GCC 12 to 14 see overflows in std::string's and std::vector's own code that are not there (GCC bugs 105329, 105651).
  target_compile_options(hearth_flags INTERFACE -Wno-restrict -Wno-array-bounds -Wno-stringop-overflow
                         -Wno-stringop-overread)
endif()
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  # A precompiled header from ccache stays good when a package was installed again: contents count, not times.
  target_compile_options(hearth_flags INTERFACE "SHELL:-Xclang -fno-pch-timestamp")
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
if(HEARTH_MOLD AND NOT HEARTH_SANITIZE AND NOT CMAKE_CROSSCOMPILING)
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
# an inline function compiled along with it would reach other processors too. The same for AVX-512,
# and for its instructions for bfloat16. Others than x86-64 get the same code in instructions of theirs.
set(HEARTH_UNIT_avx2 -mavx2 -mfma)
set(HEARTH_UNIT_avx512 -mavx512f)
set(HEARTH_UNIT_avx512bf16 -mavx512f -mavx512bw -mavx512vl -mavx512bf16)
set(HEARTH_WITH_avx2 -fno-math-errno -fno-trapping-math -ffp-contract=fast)
set(HEARTH_WITH_avx512 -Wno-uninitialized)  # GCC 12 warns of its own intrinsics
set(HEARTH_WITH_avx512bf16 -Wno-uninitialized)
if(NOT CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$")
  include(CheckIncludeFileCXX)
  check_include_file_cxx(simde/x86/avx2.h HEARTH_SIMDE)
  if(HEARTH_TORCH AND NOT HEARTH_SIMDE)
    message(FATAL_ERROR "On ${CMAKE_SYSTEM_PROCESSOR} the kernels need SIMDe's headers: install libsimde-dev.")
  endif()
  set(HEARTH_OTHER_PROCESSOR ${PROJECT_SOURCE_DIR}/cmake/other_processors)
endif()
function(hearth_vector_sources)
  foreach(unit avx2 avx512 avx512bf16)
    set(sources ${ARGN})
    list(FILTER sources INCLUDE REGEX "_${unit}\\.cpp$")
    set(options -O3 ${HEARTH_UNIT_${unit}} ${HEARTH_WITH_${unit}})
    set_source_files_properties(${sources} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON SKIP_PRECOMPILE_HEADERS ON)
    if(HEARTH_OTHER_PROCESSOR)
      set(options -O3 ${HEARTH_WITH_${unit}} -Wno-psabi)
      set_source_files_properties(${sources} PROPERTIES INCLUDE_DIRECTORIES ${HEARTH_OTHER_PROCESSOR})
    endif()
    set_source_files_properties(${sources} PROPERTIES COMPILE_OPTIONS "${options}")
  endforeach()
endfunction()

# Every library and program lies where an installed one would, so that both find each other alike.
set(HEARTH_STAGE ${PROJECT_BINARY_DIR}/stage)
# The same whether the libraries go to lib or to a folder of it for the machine: no linking anew for a package.
set(HEARTH_INSTALL_RPATH $ORIGIN $ORIGIN/../${CMAKE_INSTALL_LIBDIR} $ORIGIN/../lib $ORIGIN/../lib/${CMAKE_LIBRARY_ARCHITECTURE})
list(REMOVE_DUPLICATES HEARTH_INSTALL_RPATH)
list(SORT HEARTH_INSTALL_RPATH)
function(hearth_stage target)
  set_target_properties(${target} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY ${HEARTH_STAGE}/bin
    LIBRARY_OUTPUT_DIRECTORY ${HEARTH_STAGE}/lib
    BUILD_RPATH_USE_ORIGIN ON
    BUILD_RPATH "$ORIGIN;$ORIGIN/../lib"
    INSTALL_RPATH "${HEARTH_INSTALL_RPATH}"
    INSTALL_RPATH_USE_LINK_PATH ON)  # a LibTorch in a folder of the user's
endfunction()

# So do the files they read: hearth_stage_files(data DIRECTORY) copies a folder's files to share/hearth/data.
function(hearth_stage_files name folder)
  file(GLOB files LIST_DIRECTORIES OFF CONFIGURE_DEPENDS ${folder}/*)
  foreach(file ${files})
    get_filename_component(file_name ${file} NAME)
    set(staged ${HEARTH_STAGE}/share/hearth/${name}/${file_name})
    add_custom_command(OUTPUT ${staged} DEPENDS ${file} VERBATIM
      COMMAND ${CMAKE_COMMAND} -E copy ${file} ${staged})
    set_property(GLOBAL APPEND PROPERTY HEARTH_STAGED_FILES ${staged})
  endforeach()
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
