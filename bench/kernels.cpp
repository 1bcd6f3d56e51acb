// The time of single layers, forward and backward: with the own kernels over the plain path, which
// is LibTorch's. Both take turns in one process; a ratio above 1 is a kernel slower than
// LibTorch's.
#include <ATen/ops/ones_like.h>
#include <ATen/ops/randn.h>
#include <hearth/config/registry.h>
#include <hearth/nn/layer.h>
#include <hearth/nn/layers/activation/hardswish.h>
#include <hearth/nn/layers/activation/silu.h>
#include <hearth/nn/layers/attention/multihead_attention.h>
#include <hearth/nn/layers/convolution/conv1d.h>
#include <hearth/nn/layers/convolution/conv2d.h>
#include <hearth/nn/layers/convolution/conv_transpose2d.h>
#include <hearth/nn/layers/normalization/group_norm.h>
#include <hearth/nn/layers/normalization/instance_norm.h>
#include <hearth/nn/layers/normalization/layer_norm.h>
#include <hearth/nn/layers/recurrent/gru.h>
#include <hearth/nn/layers/recurrent/lstm.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace hearth;

constexpr int64_t kBatch = 16;
constexpr int kRounds = 9;
constexpr double kSeconds = 0.1;  // of one side in a round
constexpr double kLimit = 1;      // never slower than LibTorch

struct Subject {
  std::string name;
  Choice<Layer> layer;
  std::vector<std::vector<int64_t>> inputs;
};

std::vector<Subject> subjects() {
  using namespace layers;
  const std::vector<int64_t> image = {64, 28, 28};
  const std::vector<int64_t> sequence = {64, 128};
  return {{"depthwise",
           conv2d({.out_channels = 64, .kernel_size = 3, .padding = 1, .groups = 64}),
           {image}},
          {"transposed",
           conv_transpose2d({.out_channels = 32, .kernel_size = 2, .stride = 2}),
           {image}},
          {"conv1d", conv1d({.out_channels = 64, .kernel_size = 3, .padding = 1}), {{64, 256}}},
          {"gru", gru({.hidden_size = 128}), {sequence}},
          {"lstm", lstm({.hidden_size = 128}), {sequence}},
          {"group_norm", group_norm({.groups = 8}), {image}},
          {"instance_norm", instance_norm(), {image}},
          {"layer_norm", layer_norm(), {sequence}},
          {"silu", silu(), {image}},
          {"hardswish", hardswish(), {image}},
          {"cross_attention", multihead_attention({.heads = 4}), {sequence, {96, 128}}}};
}

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

double median(std::vector<double> numbers) {
  std::sort(numbers.begin(), numbers.end());
  return numbers[numbers.size() / 2];
}

// A layer with inputs, ready to run again and again.
class Side {
 public:
  Side(const Subject& subject, Kernels kernels) : layer_(registry<Layer>().make(subject.layer)) {
    std::vector<Spec> specs;
    for (std::vector<int64_t> shape : subject.inputs) {
      specs.emplace_back();
      specs.back().shape = shape;
      shape.insert(shape.begin(), kBatch);
      at::Tensor input = at::randn(shape);
      if (shape.size() == 4) input = input.contiguous(at::MemoryFormat::ChannelsLast);
      inputs_.push_back(input.set_requires_grad(true));
    }
    (void)layer_->build(specs, BuildContext{1, "net", 0, kernels});
    outputs_.resize(layer_->output_specs().size());
  }

  void step() {
    for (at::Tensor& input : inputs_) input.mutable_grad() = at::Tensor();
    for (const auto& [name, parameter] : layer_->handles()) parameter.mutable_grad() = at::Tensor();
    (*layer_)(inputs_, outputs_);
    if (!gradient_.defined()) gradient_ = at::ones_like(outputs_[0]);
    outputs_[0].backward(gradient_);
  }

  // Milliseconds of a step: the median of as many as there is time for.
  double run() {
    std::vector<double> times;
    for (const double begin = now(); now() < begin + kSeconds || times.size() < 3;) {
      const double before = now();
      step();
      times.push_back((now() - before) * 1e3);
    }
    return median(times);
  }

 private:
  std::unique_ptr<Layer> layer_;
  std::vector<at::Tensor> inputs_;
  std::vector<at::Tensor> outputs_;
  at::Tensor gradient_;
};

double measure(const Subject& subject) {
  Side fast(subject, Kernels(Kernels::kFast));
  Side plain(subject, Kernels(Kernels::kPlain));
  (void)fast.run();
  (void)plain.run();
  std::vector<double> fast_ms;
  std::vector<double> plain_ms;
  std::vector<double> ratios;
  for (int round = 0; round < kRounds; ++round) {
    fast_ms.push_back(fast.run());
    plain_ms.push_back(plain.run());
    ratios.push_back(fast_ms.back() / plain_ms.back());
  }
  const auto [least, most] = std::minmax_element(ratios.begin(), ratios.end());
  std::printf("%-16s %10.3f %10.3f %8.2f  (%.2f to %.2f)\n", subject.name.c_str(), median(plain_ms),
              median(fast_ms), median(ratios), *least, *most);
  return median(ratios);
}

}  // namespace

int main() {
  std::printf("batch %d, forward and backward, medians of %d rounds in ms\n",
              static_cast<int>(kBatch), kRounds);
  std::printf("%-16s %10s %10s %8s\n", "layer", "LibTorch", "Hearth", "ratio");
  std::vector<std::pair<std::string, double>> bars;
  for (const Subject& subject : subjects()) bars.emplace_back(subject.name, measure(subject));
  for (const auto& [name, ratio] : bars)
    std::printf("bar kernel_%s %.2f %.1f %s\n", name.c_str(), ratio, kLimit,
                ratio <= kLimit ? "ok" : "short");
  return 0;
}
