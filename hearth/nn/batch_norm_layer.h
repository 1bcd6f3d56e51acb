// Batch normalization of channels on a grid of one, two or three dimensions.
//   layers.add<BatchNormLayer<2>>("batch_norm2d", "Every channel brought to mean 0 ...");
#pragma once

#include <cstdint>
#include <optional>

#include "hearth/kernels/normalization/batch_norm.h"
#include "hearth/nn/batch_norm_options.h"
#include "hearth/nn/layer.h"

namespace hearth {

class BatchNormOfChannels : public Layer {
 public:
  BatchNormOfChannels(const BatchNormOptions& options, size_t dimensions)
      : options_(options), dimensions_(dimensions) {}

  [[nodiscard]] bool takes(Activation) const override { return dimensions_ == 2; }
  // Whether a batch that is cut into shards is normalized by its own statistics, not by theirs.
  [[nodiscard]] bool is_synced() const { return options_.sync; }

  // Forgets the running statistics; from now on they are the plain mean of those of all batches
  // that come in training, as of PyTorch's update_bn.
  void begin_statistics();
  // They follow the newest batches again, by `momentum`.
  void end_statistics() { gathered_.reset(); }

 protected:
  Spec prepare(const Spec& input, const BuildContext& context) override;
  at::Tensor forward(const at::Tensor& input) override { return forward(input, {}); }
  at::Tensor forward(const at::Tensor& input, const Tail& tail) override;

 private:
  BatchNormOptions options_;
  size_t dimensions_;
  BatchNormTensors tensors_;
  std::optional<int64_t> gathered_;  // batches since the statistics were begun anew
  at::Tensor batches_;               // nothing here reads it; files of PyTorch's have it
};

template <size_t Dimensions>
class BatchNormLayer : public BatchNormOfChannels {
 public:
  using Options = BatchNormOptions;
  explicit BatchNormLayer(const BatchNormOptions& options)
      : BatchNormOfChannels(options, Dimensions) {}
};

// One in the layer, or below it, that is synced; null for none.
[[nodiscard]] const Layer* synced_norm(const Layer& layer);

}  // namespace hearth
