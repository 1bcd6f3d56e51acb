// What `hearth launch` finds out about an elastic run before it starts ranks.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "hearth/launch/elastic_options.h"

namespace hearth::cli {

// Of MIN:MAX; ConfigError for anything else.
[[nodiscard]] ElasticOptions elastic_in(const std::string& limits);
// Of the experiment, or of the run to resume, that the words of a `train` name.
[[nodiscard]] std::optional<ElasticOptions> elastic_of(const std::vector<std::string>& words);
[[nodiscard]] bool resumes(const std::vector<std::string>& words);

}  // namespace hearth::cli
