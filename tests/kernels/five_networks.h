// For tests: the five networks whose speed is measured, small, with data they can learn.
#pragma once

#include <ATen/Parallel.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/randn_like.h>
#include <ATen/ops/upsample_bilinear2d.h>
#include <c10/core/GradMode.h>
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "hearth/config/registry.h"
#include "hearth/data/source.h"
#include "hearth/data/sources/digits.h"
#include "hearth/data/sources/text.h"
#include "hearth/network/network.h"
#include "hearth/network/ops/call.h"
#include "hearth/network/ops/cross_entropy.h"
#include "hearth/network/ops/update.h"
#include "hearth/nn/architectures/gpt.h"
#include "hearth/nn/architectures/lenet.h"
#include "hearth/nn/architectures/mlp.h"
#include "hearth/nn/architectures/resnet.h"
#include "hearth/optim/optimizers/adamw.h"
#include "hearth/optim/optimizers/sgd.h"
#include "hearth/tensor/convert.h"

namespace hearth {

// What a network is tried with. Images are the bundled digits, `enlarged` times as wide and high;
// without images it is a text.
struct NetworkCase {
  Choice<Layer> layer = {};
  Choice<Optimizer> optimizer = {};
  int64_t batch_size = 16;
  bool has_images = true;
  int64_t enlarged = 1;
  int64_t channels = 1;
  // Steps before the last bits of the weights show in the loss, of plain trainings too.
  size_t steps_together = 10;
  double update_tolerance = 1e-4;  // of a usual step's change of the weights
};

inline const std::map<std::string, NetworkCase>& five_networks() {
  static const std::map<std::string, NetworkCase> cases = {
      {"mlp", {layers::mlp({.classes = 10}), optimizers::sgd({.lr = 0.05, .momentum = 0.9}), 32}},
      {"lenet",
       {layers::lenet({.classes = 10}), optimizers::sgd({.lr = 0.01, .momentum = 0.9}), 16, true,
        3}},
      // Batch norms over few values make the residual networks part early: a relu at its kink that
      // goes the other way shows in the loss of the same step.
      {"resnet20",
       {.layer = layers::resnet({.depth = 20, .classes = 10}),
        .optimizer = optimizers::sgd({.lr = 0.002, .momentum = 0.9}),
        .batch_size = 16,
        .steps_together = 2}},
      // Channels from 32 to 256 over sides from 8 to 1. Plain trainings of it part within the first
      // five steps, at learning rates from 0.0002 to 0.01.
      {"resnet18",
       {layers::resnet({.depth = 18, .classes = 10, .width = 32}),
        optimizers::sgd({.lr = 0.0005, .momentum = 0.9}), 16, true, 4, 3, 2}},
      // AdamW divides gradients by their size, and with them the rounding of those near zero.
      {"gpt",
       {layers::gpt({.layers = 2, .width = 64, .heads = 4, .vocabulary = 128}),
        optimizers::adamw({.lr = 0.002}), 8, false, 1, 1, 10, 5e-4}},
  };
  return cases;
}

inline std::vector<std::string> five_names() {
  std::vector<std::string> names;
  for (const auto& [name, tried] : five_networks()) names.push_back(name);
  return names;
}

// Samples `first`, `first + stride`, ... of a source, by key.
inline Tensors read_samples(const Source& source, int64_t first, int64_t stride, int64_t count) {
  Tensors samples;
  const std::vector<KeySpec> keys = source.keys();
  for (const KeySpec& key : keys) {
    std::vector<int64_t> sizes = key.spec.shape;
    sizes.insert(sizes.begin(), count);
    samples[key.key] = at::empty(sizes, scalar_type(key.spec.dtype));
  }
  for (int64_t i = 0; i < count; ++i) {
    std::vector<Cell> rows;
    for (const KeySpec& key : keys)
      rows.emplace_back(static_cast<std::byte*>(samples[key.key].data_ptr()) +
                            i * static_cast<int64_t>(key.spec.bytes()),
                        key.spec);
    source.read((first + i * stride) % source.size(), rows);
  }
  return samples;
}

inline std::unique_ptr<Source> source_of(const NetworkCase& tried) {
  const std::string folder = HEARTH_SOURCE_DIR;
  std::unique_ptr<Source> source = registry<Source>().make(
      tried.has_images ? sources::digits({.path = folder + "/data"})
                       : sources::text({.file = folder + "/LICENSE", .length = 32}));
  source->open();
  return source;
}

// Keys `image` and `label`; batches of neighbouring numbers share no sample.
inline Tensors batch_of(const NetworkCase& tried, const Source& source, int64_t number,
                        int64_t size) {
  constexpr int64_t kStride = 7;  // no divisor of the number of samples
  const Tensors samples = read_samples(source, number * size * kStride, kStride, size);
  if (!tried.has_images) return {{"image", samples.at("tokens")}, {"label", samples.at("next")}};
  const at::Tensor pixels =
      samples.at("image").permute({0, 3, 1, 2}).to(at::kFloat).div(16).contiguous();
  const int64_t side = pixels.size(2) * tried.enlarged;
  const at::Tensor image = at::upsample_bilinear2d(pixels, {side, side}, false)
                               .expand({-1, tried.channels, -1, -1})
                               .sub(0.30)
                               .div(0.37)
                               .contiguous();
  return {{"image", image}, {"label", samples.at("label")}};
}

// One of the five in training.
class Training {
 public:
  Training(const std::string& name, Kernels kernels, std::optional<double> average = {})
      : tried_(five_networks().at(name)),
        source_(source_of(tried_)),
        network_(
            {{"net", {.build = tried_.layer, .optimizer = tried_.optimizer, .average = average}}},
            {network_ops::call(), network_ops::cross_entropy(), network_ops::update()}, 7, at::kCPU,
            kernels) {
    (void)logits(0, 1);  // builds the model
  }

  [[nodiscard]] Model& model() { return network_.models().find("net"); }

  // The loss of the batch before the step.
  double step() {
    const Tensors batch = batch_of(tried_, *source_, steps_++, tried_.batch_size);
    return network_.run(batch, {"loss"}, Mode::kTrain).at("loss").item<double>();
  }
  std::vector<double> steps(int count) {
    std::vector<double> losses;
    for (int i = 0; i < count; ++i) losses.push_back(step());
    return losses;
  }
  // The other's next step, from the other's state.
  double follow(Training& other) {
    model().restore(copy(other.model().state()));
    steps_ = other.steps_;
    return step();
  }
  // What the model says in evaluation.
  [[nodiscard]] at::Tensor logits(int64_t batch_number, int64_t size) {
    const Tensors batch = batch_of(tried_, *source_, batch_number, size);
    return network_.run({{"image", batch.at("image")}}, {"logits"}, Mode::kEval).at("logits");
  }

 private:
  const NetworkCase& tried_;
  std::unique_ptr<Source> source_;
  Network network_;
  int64_t steps_ = 0;
};

class FiveNetworks : public testing::TestWithParam<std::string> {};

}  // namespace hearth
