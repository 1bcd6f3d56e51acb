# The kernels and their tests under the sanitizers, on the LibTorch there is, which is not instrumented. With GCC: clang 14
# cannot compile LibTorch 1.13's headers as C++20. They need nothing but hearth/base, which is compiled along.
include_guard()
find_package(Torch REQUIRED)
find_package(OpenMP REQUIRED COMPONENTS CXX)

hearth_sources(kernel_sources hearth/base hearth/kernels)
hearth_tests_of(kernel_tests hearth/kernels)
hearth_joined(kernel_tests kernels ${kernel_tests})
hearth_vector_sources(${kernel_sources})
add_executable(test_kernels ${kernel_sources} ${kernel_tests})
target_link_libraries(test_kernels PRIVATE hearth_flags nlohmann_json::nlohmann_json ZLIB::ZLIB OpenSSL::Crypto Threads::Threads GTest::gtest GTest::gmock GTest::gtest_main
                      ${TORCH_LIBRARIES} dnnl OpenMP::OpenMP_CXX)
target_include_directories(test_kernels PRIVATE ${PROJECT_SOURCE_DIR})
target_compile_definitions(test_kernels PRIVATE HEARTH_VERSION="${PROJECT_VERSION}")
target_include_directories(test_kernels SYSTEM PRIVATE ${TORCH_INCLUDE_DIRS})
set_source_files_properties(${kernel_tests} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
set_target_properties(test_kernels PROPERTIES UNITY_BUILD ${HEARTH_UNITY} UNITY_BUILD_BATCH_SIZE 8)
target_precompile_headers(test_kernels PRIVATE <ATen/core/Tensor.h> <gtest/gtest.h> <gmock/gmock.h>)
add_test(NAME kernels COMMAND test_kernels --gtest_brief=1)
# LibTorch keeps memory until the end and fills containers without telling the sanitizer; a test asks for more
# memory than there is.
set_tests_properties(kernels PROPERTIES ENVIRONMENT
  "ASAN_OPTIONS=detect_leaks=0:detect_container_overflow=0:allocator_may_return_null=1;OMP_WAIT_POLICY=passive")
