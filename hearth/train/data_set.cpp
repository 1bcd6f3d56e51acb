// The sets of an experiment, as its config names them.
#include "hearth/train/data_set.h"

namespace hearth {

std::vector<NamedSource> source_choices(const DataOptions& data) {
  std::vector<NamedSource> choices;
  for (const auto& [name, choice] : data.train.all())
    choices.emplace_back(DataSet(Mode::kTrain, name), choice);
  for (const auto& [name, choice] : data.eval.all())
    choices.emplace_back(DataSet(Mode::kEval, name), choice);
  if (data.test) choices.emplace_back(Mode::kTest, *data.test);
  return choices;
}

std::optional<NamedSource> named_source(const DataOptions& data, const DataSet& set) {
  for (const NamedSource& known : source_choices(data))
    if (known.first == set || (set.name.empty() && known.first.mode == set.mode)) return known;
  return std::nullopt;
}

}  // namespace hearth
