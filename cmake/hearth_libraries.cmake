# Two libraries: hearth_core knows no LibTorch; hearth is the rest.
include_guard()

find_package(PkgConfig REQUIRED)
find_package(ZLIB REQUIRED)
find_package(OpenSSL REQUIRED COMPONENTS Crypto)
find_package(Threads REQUIRED)
find_package(nlohmann_json REQUIRED)
pkg_check_modules(yaml REQUIRED IMPORTED_TARGET yaml-0.1)
pkg_check_modules(spng REQUIRED IMPORTED_TARGET spng)
pkg_check_modules(jpeg REQUIRED IMPORTED_TARGET libjpeg)
pkg_check_modules(webp REQUIRED IMPORTED_TARGET libwebp)
pkg_check_modules(sqlite REQUIRED IMPORTED_TARGET sqlite3)
pkg_check_modules(expat REQUIRED IMPORTED_TARGET expat)

# The thread sanitizer looks at the parts that have threads, and what they stand on, only.
set(HEARTH_CORE_PARTS base config format core data experiment schedule pipeline survey tracking launch
  CACHE STRING "Parts of the library that know no LibTorch")
set(core_registries)
hearth_registry(core_registries Source hearth/data/source.h hearth/data/sources)
hearth_registry(core_registries SampleOp hearth/data/sample_op.h hearth/data/ops)
hearth_registry(core_registries BatchOp hearth/data/batch_op.h hearth/data/batch_ops)
hearth_registry(core_registries Order hearth/data/order.h hearth/data/orders)
hearth_registry(core_registries Tokenizer hearth/data/tokenizer.h hearth/data/tokenizers)
hearth_registry(core_registries Schedule hearth/schedule/schedule.h hearth/schedule/schedules)
if("experiment" IN_LIST HEARTH_CORE_PARTS)
  hearth_registry(core_registries Technique hearth/experiment/technique.h hearth/experiment/techniques)
endif()
if("tracking" IN_LIST HEARTH_CORE_PARTS)
  hearth_registry(core_registries Tracker hearth/tracking/tracker.h hearth/tracking/trackers)
endif()
set_source_files_properties(${core_registries} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)  # tests/openness has its own
list(TRANSFORM HEARTH_CORE_PARTS PREPEND hearth/ OUTPUT_VARIABLE core_folders)
hearth_sources(core_sources ${core_folders})
add_library(hearth_core SHARED ${core_sources} ${core_registries})
add_library(hearth::core ALIAS hearth_core)
target_include_directories(hearth_core PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>
                                              $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_compile_features(hearth_core PUBLIC cxx_std_20)
target_link_libraries(hearth_core
  PUBLIC nlohmann_json::nlohmann_json
  PRIVATE $<BUILD_INTERFACE:hearth_flags> ZLIB::ZLIB OpenSSL::Crypto Threads::Threads PkgConfig::yaml PkgConfig::spng
    PkgConfig::jpeg PkgConfig::webp PkgConfig::sqlite PkgConfig::expat)
target_precompile_headers(hearth_core PRIVATE cmake/core_precompiled.h)
target_compile_definitions(hearth_core PRIVATE HEARTH_VERSION="${PROJECT_VERSION}")
set_target_properties(hearth_core PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR})
hearth_unity(hearth_core)
hearth_stage(hearth_core)

# The library looks for its data beside itself, wherever it lies.
foreach(name data data/sets)
  hearth_stage_files(${name} ${PROJECT_SOURCE_DIR}/${name})
endforeach()
get_property(staged_data GLOBAL PROPERTY HEARTH_STAGED_FILES)
add_custom_target(hearth_data DEPENDS ${staged_data})
add_dependencies(hearth_core hearth_data)

if(HEARTH_TORCH)
  include(hearth_torch)
endif()
