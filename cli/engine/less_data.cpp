// An experiment on less data than its config says, for trials.
#include "cli/engine/less_data.h"

#include <algorithm>
#include <cmath>

#include "hearth/data/sources/first.h"
#include "hearth/experiment/options.h"
#include "hearth/experiment/rewrite.h"

namespace hearth::cli {
namespace {

// Of the first epoch, when it changes.
int64_t batch_size_of(const DataOptions& data) {
  const Moment start{0, 0, {1, 1, 1}};
  return std::max<int64_t>(std::llround(ScheduledValue(data.batch_size).at(start)), 1);
}

Choice<Source> limited(const Choice<Source>& source, int64_t samples) {
  return sources::first({.of = source, .count = samples});
}

NamedChoices<Source> limited(const NamedChoices<Source>& sources, int64_t samples) {
  if (sources.all().size() == 1 && sources.all().front().first.empty())
    return limited(sources.all().front().second, samples);
  std::vector<NamedChoices<Source>::Named> all;
  for (const auto& [name, source] : sources.all()) all.emplace_back(name, limited(source, samples));
  return all;
}

// Under the names that are there, since traces watch them.
NamedChoices<Source> in_place_of_each(const NamedChoices<Source>& sources,
                                      const Choice<Source>& source) {
  std::vector<NamedChoices<Source>::Named> all;
  for (const auto& [name, replaced] : sources.all()) all.emplace_back(name, source);
  return all;
}

void limit(DataOptions& data, int64_t samples) {
  data.train = limited(data.train, samples);
  if (!data.eval.all().empty()) data.eval = limited(data.eval, samples);
  if (data.test) data.test = limited(*data.test, samples);
}

void write(const DataOptions& data, Node& effective) {
  Node& written = *effective.find("data");
  const Node now = DataOptions::schema().write(data);
  for (const char* option : {"train", "eval", "test", "shuffle", "order", "windows"})
    if (const Node* value = now.find(option)) written.set(option, *value);
}

}  // namespace

void use_less_data(const TrainArguments& arguments, Node& effective) {
  DataOptions data = ExperimentOptions::schema().read(effective).data;
  const int64_t batch = batch_size_of(data);
  if (arguments.limit) limit(data, *arguments.limit);
  if (arguments.trial_batches) {
    limit(data, *arguments.trial_batches * batch);
    effective.find("train")->set("epochs", Node::scalar("1"));
  }
  if (arguments.overfit_batches) {
    const Choice<Source> few =
        limited(data.train.all().front().second, *arguments.overfit_batches * batch);
    data.train = few;
    data.eval = in_place_of_each(data.eval, few);
    data.shuffle = false;
    data.order.reset();
    data.windows.clear();
  }
  write(data, effective);
}

}  // namespace hearth::cli
