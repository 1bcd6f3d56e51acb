// The sets of samples that an experiment has opened.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "hearth/data/source.h"

namespace hearth {

class ExperimentGraph;

// By their names: "train", "eval".
[[nodiscard]] std::map<std::string, std::shared_ptr<Source>> opened_sources(
    const ExperimentGraph& experiment);

}  // namespace hearth
