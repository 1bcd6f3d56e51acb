// Samples to predict, as a source: those that a stranger gave, or some of another source.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "hearth/data/source.h"
#include "hearth/train/raw_value.h"

namespace hearth {

struct FilledSample {
  std::string name;
  std::map<std::string, FilledValue> values;  // by key
};

// `keys` may be more than samples have: what nobody needs.
[[nodiscard]] std::shared_ptr<const Source> make_raw_source(std::vector<KeySpec> keys,
                                                            std::vector<FilledSample> samples);

// Some samples of a source, as a source.
[[nodiscard]] std::shared_ptr<const Source> make_chosen_source(std::shared_ptr<const Source> source,
                                                               std::vector<int64_t> samples);

}  // namespace hearth
