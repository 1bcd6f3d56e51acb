// Ranks started again when they fail, from the last checkpoint.
#pragma once

#include <optional>

#include "hearth/launch/elastic_options.h"
#include "hearth/launch/supervisor.h"

namespace hearth {

struct RestartOptions {
  int restarts = 0;  // in a row, without a new checkpoint in between
  // With those that are left; otherwise always with the same number.
  std::optional<ElasticOptions> elastic = {};
  std::vector<std::string> hosts = {};  // all that may take part, where there are several
};

// The exit code of the last attempt. What ranks run the second time is `hearth train --resume RUN`
// when the run had a folder by then.
[[nodiscard]] int launch_ranks(LaunchOptions options, const RestartOptions& restart);

// The words of an attempt that goes on with a run: flags of `hearth train` that a resume takes
// stay.
[[nodiscard]] std::vector<std::string> resuming_words(const std::vector<std::string>& words,
                                                      const std::string& run);

}  // namespace hearth
