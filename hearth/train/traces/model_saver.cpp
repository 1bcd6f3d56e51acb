// Writes the weights every so often, without what a training needs to go on. The step waits for a
// copy of them; the file is written in the background.
#include "hearth/train/traces/model_saver.h"

#include <deque>
#include <nlohmann/json.hpp>

#include "hearth/config/registry.h"
#include "hearth/train/trace.h"

namespace hearth::traces {
namespace {

class ModelSaver : public Trace {
 public:
  using Options = ModelSaverOptions;
  explicit ModelSaver(Options options) : options_(std::move(options)) {}

  [[nodiscard]] std::vector<Interest> interests() const override {
    const bool is_by_epoch = options_.interval.unit == TimeUnit::kEpoch;
    return {
        {.on = is_by_epoch ? Occasion::kEpochEnd : Occasion::kStep, .every = options_.interval}};
  }
  [[nodiscard]] std::vector<std::string> writes(const std::string&) const override {
    return {"weights/" + options_.out + "/step-<N>.safetensors"};
  }

  void hear(const Happening&, RunControl& run) override {
    const std::string file = run.save_weights(options_.out);
    if (file.empty()) return;
    files_.push_back(file);
    while (options_.keep > 0 && static_cast<int64_t>(files_.size()) > options_.keep) {
      run.remove_file(files_.front());
      files_.pop_front();
    }
  }

  [[nodiscard]] Json state() const override {
    return {{"files", options_.keep > 0 ? Json(files_) : Json::array()}};
  }
  void restore(const Json& state) override {
    files_ = state.at("files").get<std::deque<std::string>>();
  }

 private:
  Options options_;
  std::deque<std::string> files_;  // that are there
};

}  // namespace

const Schema<ModelSaverOptions>& ModelSaverOptions::schema() {
  using O = ModelSaverOptions;
  static const auto schema =
      Schema<O>()
          .field(&O::interval, "interval", "How often: 1ep, 500st, 10%.", above(0))
          .field(&O::keep, "keep", "How many files to keep, the newest; 0 keeps all.", at_least(0))
          .field(&O::out, "out", "Name of the folder below `weights` in the run folder.",
                 not_empty(), file_name());
  return schema;
}

Choice<Trace> model_saver(ModelSaverOptions options) {
  return choose<Trace>("model_saver", options);
}

void register_model_saver(Registry<Trace>& registry) {
  registry.add<ModelSaver>("model_saver",
                           "Writes the weights every so often, as a safetensors file.");
}

}  // namespace hearth::traces
