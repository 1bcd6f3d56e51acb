// Going through steps of a run again, in memory, and what each of them comes to.
#include <nlohmann/json.hpp>

#include "hearth/tensor/tensor_digest.h"
#include "hearth/train/trainer.h"

namespace hearth {
namespace {

// models/net/model/0.weight, neither an average nor what an optimizer keeps.
bool is_parameter_name(const std::string& name) { return name.find("/model/") != name.npos; }

}  // namespace

void Trainer::play_to(int64_t step) {
  halt_ = Halt{step, AfterSteps::kWait};
  const int64_t target =
      position_.target_epochs > 0 ? position_.target_epochs : experiment_.options().train.epochs;
  if (!loader_) begin(target);
  while (position_.step < step && position_.epoch < target && stop_reason_.empty() &&
         !is_interrupted())
    run_epoch();
}

void Trainer::rewind(const State& state) {
  loader_.reset();
  restore(state);
}

Json Trainer::digests() {
  Json json = Json::object();
  for (const int index : losses_) {
    const std::string& key = current_->plan.values[static_cast<size_t>(index)].key;
    if (runner_.value(index).defined()) json["losses"][key] = fast_digest_of(runner_.value(index));
  }
  const State state = experiment_.network().state(ops_);
  json["parameters"] = fast_digest_of(state, is_parameter_name);
  json["state"] = fast_digest_of(state);
  return json;
}

}  // namespace hearth
