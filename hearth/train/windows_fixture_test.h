// For tests: an experiment whose components time switches, and who notes what they see.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "hearth/config/registry.h"
#include "hearth/data/sample_op.h"
#include "hearth/data/source.h"
#include "hearth/data/sources/synthetic.h"
#include "hearth/network/network.h"
#include "hearth/network/ops/call.h"
#include "hearth/network/ops/cross_entropy.h"
#include "hearth/network/ops/update.h"
#include "hearth/nn/architectures/mlp.h"
#include "hearth/optim/optimizers/sgd.h"
#include "hearth/train/estimator.h"

namespace hearth {

using Steps = std::vector<int64_t>;

struct NoteOptions {
  std::string in = "loss";
  static const Schema<NoteOptions>& schema() {
    static const auto fields = Schema<NoteOptions>().field(&NoteOptions::in, "in", "A key.");
    return fields;
  }
};

inline Steps noted;  // steps at which `note` ran in training
inline std::vector<double> noted_values;

// Notes when it runs, and the mean of what it reads.
class NoteOp : public NetworkOp {
 public:
  using Options = NoteOptions;
  explicit NoteOp(Options options) : options_(std::move(options)) {}
  [[nodiscard]] std::vector<std::string> reads() const override { return {options_.in}; }
  [[nodiscard]] std::vector<std::string> writes() const override { return {}; }
  [[nodiscard]] bool has_effect() const override { return true; }
  [[nodiscard]] Modes modes() const override { return Mode::kTrain; }
  [[nodiscard]] std::vector<Spec> infer(const std::vector<Spec>&) override { return {}; }
  void run(StepContext& context, std::span<const at::Tensor> inputs,
           std::span<at::Tensor>) override {
    noted.push_back(context.moment.step);
    noted_values.push_back(inputs[0].detach().to(at::kDouble).mean().item<double>());
  }

 private:
  Options options_;
};

struct SetOptions {
  double value = 1;
  static const Schema<SetOptions>& schema() {
    static const auto fields = Schema<SetOptions>().field(&SetOptions::value, "value", "A value.");
    return fields;
  }
};

// Every value of the image becomes one.
class SetOp : public SampleOp {
 public:
  using Options = SetOptions;
  explicit SetOp(Options options) : options_(options) {}
  [[nodiscard]] std::vector<std::string> reads() const override { return {"image"}; }
  [[nodiscard]] std::vector<std::string> writes() const override { return {"image"}; }
  [[nodiscard]] std::vector<Spec> infer(const std::vector<Spec>& inputs) const override {
    return inputs;
  }
  void run(Random&, std::span<const View>, std::span<const Cell> out) const override {
    for (float& value : out[0].as<float>()) value = static_cast<float>(options_.value);
  }

 private:
  Options options_;
};

inline Choice<NetworkOp> note(const std::string& key = "loss") {
  return choose<NetworkOp>("note", NoteOptions{key});
}
inline Choice<SampleOp> set_to(double value) {
  return choose<SampleOp>("set_to", SetOptions{value});
}

struct AlikeOptions {
  int64_t size = 8;
  double value = 1;
  int64_t classes = 3;
  static const Schema<AlikeOptions>& schema() {
    using O = AlikeOptions;
    static const auto fields = Schema<O>()
                                   .field(&O::size, "size", "Samples.")
                                   .field(&O::value, "value", "A value.")
                                   .field(&O::classes, "classes", "Classes.");
    return fields;
  }
};

// Images that hold one value, so that whoever sees one knows where it is from.
class AlikeSource : public Source {
 public:
  using Options = AlikeOptions;
  explicit AlikeSource(Options options) : options_(options) {}
  void open() override {}
  [[nodiscard]] std::vector<KeySpec> keys() const override {
    return {{"image", {.shape = {1, 4, 4}}},
            {"label", {.dtype = DType::kInt64, .classes = options_.classes, .role = Role::kClass}}};
  }
  [[nodiscard]] int64_t size() const override { return options_.size; }
  void read(int64_t index, std::span<const Cell> cells) const override {
    if (cells[0].is_wanted())
      for (float& value : cells[0].as<float>()) value = static_cast<float>(options_.value);
    if (cells[1].is_wanted()) cells[1].set(index % options_.classes);
  }
  [[nodiscard]] std::string fingerprint() const override {
    return "alike:" + std::to_string(options_.size) + ":" + std::to_string(options_.value);
  }
  [[nodiscard]] std::string describe(int64_t index) const override {
    return std::to_string(options_.value) + " " + std::to_string(index);
  }

 private:
  Options options_;
};

inline Choice<Source> alike(const AlikeOptions& options) {
  return choose<Source>("alike", options);
}

// Four batches per epoch, three epochs.
inline ExperimentOptions timed_experiment() {
  static const bool is_known = [] {
    registry<NetworkOp>().add<NoteOp>("note", "Notes when it runs.");
    registry<SampleOp>().add<SetOp>("set_to", "Sets values.");
    registry<Source>().add<AlikeSource>("alike", "Images of one value.");
    return true;
  }();
  (void)is_known;
  noted.clear();
  noted_values.clear();
  ExperimentOptions options;
  options.name = "timed";
  options.folder = (std::filesystem::path(testing::TempDir()) / "timed_runs").string();
  options.data.train = sources::synthetic({.size = 32, .shape = {1, 4, 4}, .classes = 3});
  options.data.batch_size = 8;
  options.models["net"].build = layers::mlp({.hidden = {8}, .dropout = 0.2});
  options.models["net"].optimizer = optimizers::sgd({.lr = 0.05, .momentum = 0.9});
  options.network = {network_ops::call(), network_ops::cross_entropy(), network_ops::update()};
  options.predict.out = {"logits"};
  options.train.epochs = 3;
  options.train.warm_up = false;
  return options;
}

inline Report fit(const ExperimentOptions& options) {
  return Estimator(options, {.keeps_run = false}).fit();
}

}  // namespace hearth
