// Follows the loss of each sample: of evaluations, or with `when: train` of the training. Six bytes
// are kept for a sample.
#include "hearth/train/traces/instance_tracker.h"

#include <map>
#include <nlohmann/json.hpp>

#include "hearth/base/text.h"
#include "hearth/config/registry.h"
#include "hearth/data/source.h"
#include "hearth/format/npy.h"
#include "hearth/train/sample_history.h"
#include "hearth/train/sample_losses.h"
#include "hearth/train/trace.h"

namespace hearth::traces {
namespace {

constexpr int kInstanceDigits = 6;

class InstanceTracker : public Trace {
 public:
  using Options = InstanceTrackerOptions;
  explicit InstanceTracker(Options options) : options_(std::move(options)) {}

  [[nodiscard]] std::vector<std::string> reads() const override { return options_.in; }
  void check(const std::vector<Spec>& inputs) const override {
    check_sample_losses(options_.in, inputs);
  }
  [[nodiscard]] std::vector<Interest> interests() const override {
    return {{Occasion::kBatchEnd, Mode::kEval}, {Occasion::kEvaluationEnd}, {Occasion::kEpochEnd}};
  }
  [[nodiscard]] std::vector<std::string> writes(const std::string& set) const override {
    std::vector<std::string> files = {"tables/" + options_.out + "." + set + "/step-<N>.csv"};
    if (options_.losses) files.push_back("files/" + options_.out + "." + set + "/step-<N>.npy");
    return files;
  }

  void hear(const Happening& happening, RunControl& run) override {
    if (happening.occasion == Occasion::kBatchEnd) {
      const SampleLosses found = sample_losses(happening.values);
      const at::Tensor is_right =
          found.labels.defined() ? found.predicted.eq(found.labels) : at::Tensor();
      history_of(happening).add(happening.samples, found.losses, is_right);
      return;
    }
    const auto found = histories_.find(happening.set);
    if (found != histories_.end()) report(happening, found->second, run);
  }

  [[nodiscard]] Json state() const override {
    Json sets = Json::array();
    for (const auto& [set, history] : histories_) sets.push_back({set, history.size()});
    return {{"sets", sets}};
  }
  void restore(const Json& state) override {
    histories_.clear();
    for (const Json& set : state.at("sets"))
      histories_.try_emplace(set.at(0).get<std::string>(), set.at(1).get<int64_t>());
  }
  [[nodiscard]] std::vector<NamedTensor> tensors() const override {
    std::vector<NamedTensor> all;
    for (const auto& [set, history] : histories_)
      for (const auto& [name, tensor] : history.tensors())
        all.emplace_back(set + "/" + name, tensor);
    return all;
  }
  void restore_tensors(const State& state) override {
    for (auto& [set, history] : histories_) history.restore(state.part(set));
  }

 private:
  SampleHistory& history_of(const Happening& happening) {
    const auto found = histories_.find(happening.set);
    if (found != histories_.end()) return found->second;
    return histories_.try_emplace(happening.set, happening.source->size()).first->second;
  }

  void report(const Happening& happening, SampleHistory& history, RunControl& run) const {
    const std::string name = options_.out + "." + happening.set;
    RunTable table{{"why", "loss", "times_forgotten", "sample", "name"}, {}};
    for (const auto& [why, samples] : {std::pair("hardest", history.hardest(options_.count)),
                                       std::pair("forgotten", history.forgotten(options_.count))})
      for (const int64_t sample : samples)
        table.rows.push_back({why, rounded_number(history.loss(sample), kInstanceDigits),
                              std::to_string(history.times_forgotten(sample)),
                              std::to_string(sample), happening.source->describe(sample)});
    Event event;
    event.kind = "instances";
    event.values = history.summary();
    event.details = {{"set", happening.set}};
    if (const std::string file = run.save_table(name, std::move(table)); !file.empty())
      event.details["table"] = file;
    if (options_.losses) {
      const auto content = [losses = history.losses()] {
        return encode_npy("<f4", {static_cast<int64_t>(losses.size())},
                          std::as_bytes(std::span(losses)));
      };
      if (const std::string file = run.save_file(name, ".npy", content); !file.empty())
        event.details["losses"] = file;
    }
    run.record(std::move(event));
  }

  Options options_;
  std::map<std::string, SampleHistory> histories_;  // by set
};

}  // namespace

const Schema<InstanceTrackerOptions>& InstanceTrackerOptions::schema() {
  using O = InstanceTrackerOptions;
  static const auto schema =
      sample_losses_schema<O>()
          .field(&O::count, "count", "Samples to name, of each kind.", at_least(1), at_most(100000))
          .field(&O::losses, "losses",
                 "Whether to write the loss of every sample each time, as a NumPy file.")
          .field(&O::out, "out",
                 "Name of its tables and files in the run folder, before the set's.", not_empty(),
                 file_name());
  return schema;
}

Choice<Trace> instance_tracker(InstanceTrackerOptions options) {
  return choose<Trace>("instance_tracker", options);
}

void register_instance_tracker(Registry<Trace>& registry) {
  registry.add<InstanceTracker>("instance_tracker",
                                "Follows the loss of each sample: names the hardest and the "
                                "forgotten, keeps all as NumPy files.");
}

}  // namespace hearth::traces
