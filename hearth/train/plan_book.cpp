// The plans of a training, by what time switches on.
#include "hearth/train/plan_book.h"

#include <algorithm>

namespace hearth {
namespace {

constexpr size_t kMostPages = 256;
// The epoch in training, and those that the loader works ahead for.
constexpr size_t kMostEpochTexts = 8;

}  // namespace

PlanBook::PlanBook(ExperimentGraph& experiment, DataSet set)
    : experiment_(experiment),
      set_(std::move(set)),
      is_timed_(experiment.has_timed_components()),
      changes_with_epochs_(experiment.changes_with_epochs()) {}

const std::shared_ptr<const CompiledPlan>& PlanBook::at(const Moment& moment) {
  const std::string& options = options_of(moment);
  if (is_timed_) experiment_.find_open(moment, set_.mode, open_);
  const auto found = std::find_if(pages_.rbegin(), pages_.rend(),
                                  [&](const Page& page) { return is_on(page, options); });
  if (found != pages_.rend()) return found->plan;
  if (pages_.size() >= kMostPages) pages_.erase(pages_.begin(), pages_.begin() + kMostPages / 2);
  pages_.push_back(
      {options, open_, std::make_shared<const CompiledPlan>(experiment_.compiled(set_, moment))});
  return pages_.back().plan;
}

const std::string& PlanBook::options_of(const Moment& moment) {
  static const std::string kNone;
  if (!changes_with_epochs_) return kNone;
  const auto known = options_.find(moment.epoch);
  if (known != options_.end()) return known->second;
  if (options_.size() >= kMostEpochTexts) options_.erase(options_.begin());
  return options_[moment.epoch] = experiment_.epoch_options(moment);
}

}  // namespace hearth
