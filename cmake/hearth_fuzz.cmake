# One libFuzzer program for each *_fuzz.cpp; needs clang. Corpora: tests/corpus/<name>. Run: tools/fuzz.
include_guard()
if(NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  message(FATAL_ERROR "HEARTH_FUZZ needs clang: configure with -DCMAKE_CXX_COMPILER=clang++")
endif()

# The library's own code is what must be counted as covered; the fuzzer itself is in the programs.
target_compile_options(hearth_core PRIVATE -fsanitize=fuzzer-no-link)

add_custom_target(fuzz)
file(GLOB_RECURSE fuzz_files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/hearth/*_fuzz.cpp)
foreach(file ${fuzz_files})
  get_filename_component(name ${file} NAME_WE)
  add_executable(${name} ${file})
  target_link_libraries(${name} PRIVATE hearth_core hearth_flags)
  target_compile_options(${name} PRIVATE -fsanitize=fuzzer)
  target_link_options(${name} PRIVATE -fsanitize=fuzzer)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/fuzz)
  add_dependencies(fuzz ${name})
endforeach()
