// Cleans sets of samples step by step, and keeps what each step did.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "hearth/config/choice.h"
#include "hearth/data/clean_options.h"
#include "hearth/data/source.h"

namespace hearth {

struct CleanSet {
  std::string name;  // train, eval, test
  Choice<Source> choice;
  std::shared_ptr<const Source> source = {};  // opened
  std::vector<int64_t> samples = {};          // of it, those that are left
};

// What a step did to a set.
struct CleanChange {
  std::string set;
  int64_t before = 0;
  int64_t after = 0;
  std::vector<std::string> examples = {};  // the first ones: which, and why
};

struct CleanRecord {
  std::string step;
  std::string options;  // as YAML, on one line
  std::vector<CleanChange> changes;
};

struct Cleaned {
  std::vector<CleanSet> sets;
  std::vector<CleanRecord> records;
};

// Opens the sets and does the steps. The same for any number of cores. DataError when nothing is
// left of a set, and when a step does not fit the data.
[[nodiscard]] Cleaned clean(std::vector<CleanSet> sets, const CleanOptions& options);

}  // namespace hearth
