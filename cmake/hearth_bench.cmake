# Benchmarks: every bench/*.cpp is a program in <build>/bench; bench/*.py run the built programs.
# What lies in a folder of bench/ is driven by a benchmark and is none itself: <build>/bench/<folder>.
include_guard()
file(GLOB bench_files CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}
  ${PROJECT_SOURCE_DIR}/bench/*.cpp ${PROJECT_SOURCE_DIR}/bench/*/*.cpp)
foreach(file ${bench_files})
  get_filename_component(name ${file} NAME_WE)
  get_filename_component(folder ${file} DIRECTORY)
  add_executable(bench_${name} ${file})
  target_link_libraries(bench_${name} PRIVATE hearth hearth_flags)
  target_include_directories(bench_${name} PRIVATE ${PROJECT_BINARY_DIR}/generated)
  set_target_properties(bench_${name} PROPERTIES OUTPUT_NAME ${name}
    RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/${folder})
endforeach()
