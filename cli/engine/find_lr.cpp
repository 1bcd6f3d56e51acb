// hearth find lr: rising learning rates on a copy.
#include <nlohmann/json.hpp>

#include "cli/engine/finding.h"
#include "hearth/train/finders/learning_rate_finder.h"

namespace hearth::cli {

extern "C" int hearth_command_find_lr(const void* given) {
  const auto& arguments = *static_cast<const FindRateArguments*>(given);
  const FinderSettings settings = finder_settings(arguments);
  LearningRateSearch search;
  search.from = arguments.from.value_or(search.from);
  search.to = arguments.to.value_or(search.to);
  search.steps = arguments.steps.value_or(search.steps);
  search.smooth = arguments.smooth.value_or(search.smooth);
  search.optimizer = arguments.optimizer;
  search.loss = arguments.loss;
  const LearningRateFinding finding = find_learning_rate(target_of(arguments), search, settings);
  std::vector<std::string> overrides;
  for (const SweptRate& rate : finding.rates)
    if (!rate.override_text.empty()) overrides.push_back(rate.override_text);
  return show_finding({"lr", finding.to_json(), finding.text(), finding.chart(),
                       finding.was_interrupted, std::move(overrides)},
                      arguments);
}

}  // namespace hearth::cli
