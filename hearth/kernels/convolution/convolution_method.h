// How one convolution is computed for inputs of one shape. For internal use by convolution.cpp.
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>
#include <torch/custom_class.h>

#include "hearth/kernels/convolution/convolution.h"
#include "hearth/kernels/weight/weight_order.h"

namespace hearth {

// Everything a method depends on.
struct ConvolutionGeometry {
  int64_t batch = 0;
  int64_t in = 0;  // channels
  int64_t height = 0;
  int64_t width = 0;
  int64_t out = 0;
  int64_t kernel_height = 0;
  int64_t kernel_width = 0;
  ConvolutionShape shape = {};
  bool has_bias = false;
  bool has_relu = false;
  int threads = 1;

  [[nodiscard]] int64_t out_height() const { return places(0, height, kernel_height); }
  [[nodiscard]] int64_t out_width() const { return places(1, width, kernel_width); }
  [[nodiscard]] int64_t rows() const { return batch * out_height() * out_width(); }
  // Values of the input under one place of the window.
  [[nodiscard]] int64_t window() const { return kernel_height * kernel_width * in; }
  [[nodiscard]] bool operator==(const ConvolutionGeometry&) const = default;

 private:
  [[nodiscard]] int64_t places(size_t side, int64_t size, int64_t kernel) const {
    const int64_t window = shape.dilation[side] * (kernel - 1) + 1;
    return (size + 2 * shape.padding[side] - window) / shape.stride[side] + 1;
  }
};

// An image in the order that methods work on.
[[nodiscard]] inline at::Tensor empty_image(const at::Tensor& like, at::IntArrayRef sizes) {
  return at::empty(sizes, like.options(), at::MemoryFormat::ChannelsLast);
}
// sums[c] = the sum of values[p, c] over all places, by parts of them that are added in their
// order.
void sum_places(const float* values, int64_t places, int64_t channels, int64_t threads,
                float* sums);

// Images are channels-last; a weight and its gradient are ordinary [O, I, H, W], contiguous, or
// both in the method's own order.
class ConvolutionMethod : public torch::CustomClassHolder {
 public:
  explicit ConvolutionMethod(const ConvolutionGeometry& geometry,
                             std::optional<WeightOrder> order = std::nullopt)
      : geometry_(geometry), order_(order) {}
  [[nodiscard]] const ConvolutionGeometry& geometry() const { return geometry_; }
  [[nodiscard]] bool is_in_order(const at::Tensor& weight) const {
    return order_ && order_->is_order_of(weight);
  }

  // Adds the bias and applies the relu as the geometry says.
  virtual void forward(const float* input, const at::Tensor& weight, const float* bias,
                       float* output) = 0;
  virtual void input_gradient(const float* gradient, const at::Tensor& weight,
                              float* input_gradient) = 0;
  // `bias_gradient` is null when there is no bias.
  virtual void weight_gradient(const float* gradient, const float* input,
                               const at::Tensor& weight_gradient, float* bias_gradient) = 0;

 protected:
  // Sums of the gradient over all places, for methods whose kernel does not give them.
  void sum_bias_gradient(const float* gradient, float* bias_gradient) const {
    sum_places(gradient, geometry_.rows(), geometry_.out, geometry_.threads, bias_gradient);
  }

  ConvolutionGeometry geometry_;

 private:
  std::optional<WeightOrder> order_;  // none: only ordinary weights
};

using ConvolutionMethodPointer = c10::intrusive_ptr<ConvolutionMethod>;

// A copy of a weight in the layout a kernel wants, made anew only when the weight has changed.
// Several threads may ask for it at once, as long as nobody changes the weight meanwhile.
class KeptWeight {
 public:
  template <class Convert>
  const float* get(const at::Tensor& weight, int64_t size, const Convert& convert) {
    const std::lock_guard lock(mutex_);
    const int64_t version = weight.is_inference() ? -1 : weight._version();
    if (version >= 0 && version == version_ && is_source(weight)) {
      return kept_.data_ptr<float>();
    }
    // A tensor, as its memory is aligned to what vector loads like.
    if (!kept_.defined()) kept_ = at::empty({size}, at::kFloat);
    convert(weight.data_ptr<float>(), kept_.data_ptr<float>());
    source_ = weight.data_ptr();
    storage_ = weight.storage().getWeakStorageImpl();
    version_ = version;
    return kept_.data_ptr<float>();
  }

 private:
  // The address alone would not do: another weight may lie where one was that is gone. A storage
  // that is held, if only weakly, is not confused with a later one.
  [[nodiscard]] bool is_source(const at::Tensor& weight) const {
    return weight.data_ptr() == source_ &&
           weight.storage().unsafeGetStorageImpl() == storage_._unsafe_get_target();
  }

  std::mutex mutex_;
  at::Tensor kept_;
  const void* source_ = nullptr;
  c10::weak_intrusive_ptr<c10::StorageImpl> storage_{c10::intrusive_ptr<c10::StorageImpl>()};
  int64_t version_ = -1;
};

// oneDNN's own kernels; null when it has only slow ones for this geometry.
[[nodiscard]] ConvolutionMethodPointer onednn_method(const ConvolutionGeometry& geometry);
// Windows laid out as rows of a matrix, and one matrix product. Only without groups.
[[nodiscard]] ConvolutionMethodPointer matrix_method(const ConvolutionGeometry& geometry);
// A quarter of the products, by Winograd's algorithm; null when it is not for this geometry.
[[nodiscard]] ConvolutionMethodPointer winograd_method(const ConvolutionGeometry& geometry);
// Every channel by itself, with as many groups as channels; null for others.
[[nodiscard]] bool is_depthwise(const ConvolutionGeometry& geometry);
[[nodiscard]] ConvolutionMethodPointer depthwise_method(const ConvolutionGeometry& geometry);
// The method this machine runs fastest, by a fixed rule: the same method, and so the same bits, in
// every run. Null when LibTorch should do it.
[[nodiscard]] ConvolutionMethodPointer make_method(const ConvolutionGeometry& geometry);

// The methods one layer has used. Asked from several threads at once while nothing learns.
class MethodCache {
 public:
  using Make = ConvolutionMethodPointer (*)(const ConvolutionGeometry& geometry);
  explicit MethodCache(Make make = make_method) : make_(make) {}
  // Null when LibTorch should do it.
  [[nodiscard]] ConvolutionMethodPointer find(const ConvolutionGeometry& geometry);

 private:
  Make make_;
  std::mutex mutex_;
  std::vector<std::pair<ConvolutionGeometry, ConvolutionMethodPointer>> methods_;
};

// In which order a method wants its weights; none for the ordinary order, and where channels would
// have to be filled up to whole blocks.
struct MethodOrder {
  std::optional<WeightOrder> order;
};
// Found without making the methods; none at all when there is no such method.
[[nodiscard]] std::optional<MethodOrder> onednn_order(const ConvolutionGeometry& geometry);
[[nodiscard]] std::optional<WeightOrder> winograd_order(const ConvolutionGeometry& geometry);
[[nodiscard]] std::optional<WeightOrder> matrix_order(const ConvolutionGeometry& geometry);
// Of the method that `make_method` makes.
[[nodiscard]] std::optional<WeightOrder> order_of_method(const ConvolutionGeometry& geometry);

}  // namespace hearth
