# hearth/hearth.h, all that an experiment written in C++ needs; no LibTorch header among it.
include_guard()

set(headers hearth/config/mode.h hearth/config/time.h hearth/experiment/options.h hearth/schedule/code_schedules.h)
if(HEARTH_TORCH AND EXISTS ${PROJECT_SOURCE_DIR}/hearth/train/estimator.h)
  list(APPEND headers hearth/train/estimator.h hearth/train/experiment.h hearth/train/predictor.h hearth/train/generation/generator.h)
  foreach(finder learning_rate batch_size workers)
    list(APPEND headers hearth/train/finders/${finder}_finder.h)
  endforeach()
endif()
get_property(kinds GLOBAL PROPERTY HEARTH_KINDS)  # "layer Layer hearth/nn/layer.h hearth/nn/layers ..."
foreach(kind ${kinds})
  separate_arguments(folders UNIX_COMMAND "${kind}")
  list(SUBLIST folders 3 -1 folders)
  foreach(folder ${folders})
    file(GLOB_RECURSE found RELATIVE ${PROJECT_SOURCE_DIR} CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${folder}/*.h)
    list(FILTER found EXCLUDE REGEX "_(internal|test)\\.h$")
    list(APPEND headers ${found})
  endforeach()
endforeach()
list(SORT headers)
list(TRANSFORM headers REPLACE "(.+)" "#include \"\\1\"\n")
list(JOIN headers "" includes)

set(HEARTH_GENERATED ${PROJECT_BINARY_DIR}/generated)
file(CONFIGURE OUTPUT ${HEARTH_GENERATED}/hearth/hearth.h CONTENT
"// Everything that an experiment written in C++ needs. Written by the build from the folders.
#pragma once

@includes@" @ONLY)
target_include_directories(hearth_core PUBLIC $<BUILD_INTERFACE:${HEARTH_GENERATED}>)
