# The library on LibTorch, with OpenBLAS put before whatever BLAS the system would pick.
include_guard()
find_package(Torch REQUIRED)
find_package(OpenMP REQUIRED COMPONENTS CXX)  # the same as LibTorch and oneDNN use

# Debian's default reference BLAS is 40 times slower. Naming OpenBLAS's own libblas.so.3 as a direct
# dependency, with its folder in our run path, makes the loader resolve LibTorch's BLAS to it too.
find_library(HEARTH_BLAS NAMES libblas.so.3
  PATHS /usr/lib/${CMAKE_LIBRARY_ARCHITECTURE}/openblas-openmp /usr/lib/${CMAKE_LIBRARY_ARCHITECTURE}/openblas-pthread
  NO_DEFAULT_PATH)

set(torch_registries)
hearth_registry(torch_registries Layer hearth/nn/layer.h hearth/nn/layers hearth/nn/blocks hearth/nn/architectures)
hearth_registry(torch_registries Initializer hearth/nn/initializer.h hearth/nn/initializers)
hearth_registry(torch_registries Optimizer hearth/optim/optimizer.h hearth/optim/optimizers)
hearth_registry(torch_registries NetworkOp hearth/network/network_op.h hearth/network/ops)
hearth_registry(torch_registries Exchange hearth/network/exchange.h hearth/network/exchanges)
hearth_registry(torch_registries Metric hearth/metric/metric.h hearth/metric/metrics)
hearth_registry(torch_registries Trace hearth/train/trace.h hearth/train/traces)
set_source_files_properties(${torch_registries} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)  # tests/openness has its own
hearth_sources(torch_sources hearth/tensor hearth/cluster hearth/kernels hearth/nn hearth/optim hearth/network hearth/metric hearth/train)
add_library(hearth SHARED ${torch_sources} ${torch_registries})
add_library(hearth::hearth ALIAS hearth)
target_link_libraries(hearth PUBLIC hearth_core PRIVATE $<BUILD_INTERFACE:hearth_flags>)
# An installed Hearth asks for LibTorch's place again where it is used, see hearthConfig.cmake.in.
target_include_directories(hearth SYSTEM PUBLIC "$<BUILD_INTERFACE:${TORCH_INCLUDE_DIRS}>")
if(HEARTH_BLAS)
  get_filename_component(HEARTH_BLAS_FOLDER ${HEARTH_BLAS} DIRECTORY)
  if(CMAKE_SYSROOT)
    string(REPLACE "${CMAKE_SYSROOT}" "" HEARTH_BLAS_FOLDER ${HEARTH_BLAS_FOLDER})  # as the machine will see it
  endif()
  target_link_options(hearth PRIVATE -Wl,--no-as-needed ${HEARTH_BLAS} -Wl,--as-needed)
endif()
target_link_libraries(hearth PUBLIC "$<BUILD_INTERFACE:${TORCH_LIBRARIES}>" $<INSTALL_INTERFACE:hearth::torch>
  PRIVATE dnnl OpenMP::OpenMP_CXX)

hearth_vector_sources(${torch_sources})
target_precompile_headers(hearth PRIVATE cmake/torch_precompiled.h)
target_compile_definitions(hearth PRIVATE HEARTH_VERSION="${PROJECT_VERSION}" HEARTH_BUILD_TYPE="${CMAKE_BUILD_TYPE}")
set_target_properties(hearth PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR})
hearth_unity(hearth)
hearth_stage(hearth)
set_property(TARGET hearth APPEND PROPERTY BUILD_RPATH ${HEARTH_BLAS_FOLDER})
set_property(TARGET hearth APPEND PROPERTY INSTALL_RPATH ${HEARTH_BLAS_FOLDER})
