# One test program per part: hearth/<part>/**/*_test.cpp becomes test_<part>.
include_guard()
find_package(GTest REQUIRED)

# What every test program is built with. Tests need no speed, but fast building; a precompiled header costs
# as much as several test files, so programs of one group share it, which asks for equal flags.
function(hearth_build_test target group)
  target_link_libraries(${target} PRIVATE ${group} hearth_flags GTest::gtest GTest::gmock GTest::gtest_main
                        ZLIB::ZLIB Threads::Threads)
  target_compile_definitions(${target} PRIVATE HEARTH_SOURCE_DIR="${PROJECT_SOURCE_DIR}"
                             HEARTH_STAGE_DIR="${HEARTH_STAGE}")
  target_compile_options(${target} PRIVATE -O0)
  get_property(owner GLOBAL PROPERTY HEARTH_PRECOMPILED_${group})
  if(owner)
    target_precompile_headers(${target} REUSE_FROM ${owner})
  else()
    target_precompile_headers(${target} PRIVATE ${ARGN} <gtest/gtest.h> <gmock/gmock.h>)
    set_property(GLOBAL PROPERTY HEARTH_PRECOMPILED_${group} ${target})
  endif()
endfunction()

function(hearth_test_program part library)
  hearth_tests_of(files hearth/${part})
  if(NOT files)
    return()
  endif()
  add_executable(test_${part} ${files})
  hearth_build_test(test_${part} ${library} ${ARGN})
  add_test(NAME ${part} COMMAND test_${part} --gtest_brief=1)
  # Threads that wait without spinning leave the cores to whatever else runs beside the tests.
  set_tests_properties(${part} PROPERTIES ENVIRONMENT OMP_WAIT_POLICY=passive)
endfunction()

foreach(part base config format core schedule data experiment pipeline survey)
  hearth_test_program(${part} hearth_core <nlohmann/json.hpp>)
endforeach()
if(HEARTH_TORCH)
  foreach(part tensor kernels nn optim network metric train)
    hearth_test_program(${part} hearth <ATen/core/Tensor.h>)
  endforeach()
  target_link_libraries(test_kernels PRIVATE dnnl)  # for oneDNN's layouts beside ours
  if(EXISTS ${PROJECT_SOURCE_DIR}/tests/CMakeLists.txt)
    add_subdirectory(${PROJECT_SOURCE_DIR}/tests)
  endif()
elseif(HEARTH_SANITIZE MATCHES "address" AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  include(hearth_sanitized_kernels)
endif()
