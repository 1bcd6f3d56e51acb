// A convolution by oneDNN's own kernels, on channels-last images.
#include <ATen/Parallel.h>

#include <string>

#include "hearth/kernels/convolution/convolution_method.h"
#include "hearth/kernels/onednn_versions.h"
#include "hearth/kernels/product/rows_avx2.h"
#include "hearth/kernels/weight/onednn_weight.h"
#include "hearth/kernels/weight/onednn_weight_gradient.h"

namespace hearth {
namespace {

using Layout = dnnl::memory::desc;
using Tag = dnnl::memory::format_tag;
using Dims = dnnl::memory::dims;
constexpr auto kFloat32 = dnnl::memory::data_type::f32;
constexpr int64_t kReluGrain = 16384;  // values worth a thread

// What all three directions of one convolution are described by.
struct OnednnLayouts {
  explicit OnednnLayouts(const ConvolutionGeometry& g)
      : input({g.batch, g.in, g.height, g.width}, kFloat32, Tag::nhwc),
        output({g.batch, g.out, g.out_height(), g.out_width()}, kFloat32, Tag::nhwc),
        bias({g.out}, kFloat32, Tag::x),
        strides{g.shape.stride[0], g.shape.stride[1]},
        dilates{g.shape.dilation[0] - 1, g.shape.dilation[1] - 1},
        padding{g.shape.padding[0], g.shape.padding[1]} {
    const int64_t groups = g.shape.groups;
    const Dims sizes =
        groups == 1 ? Dims{g.out, g.in, g.kernel_height, g.kernel_width}
                    : Dims{groups, g.out / groups, g.in / groups, g.kernel_height, g.kernel_width};
    plain_weight = Layout(sizes, kFloat32, groups == 1 ? Tag::oihw : Tag::goihw);
    any_weight = Layout(sizes, kFloat32, Tag::any);
  }

  Layout input;
  Layout output;
  Layout bias;
  Layout plain_weight;
  Layout any_weight;
  Dims strides;
  Dims dilates;
  Dims padding;
};

bool is_slow(const char* implementation) {
  const std::string name = implementation;
  return name.find("ref") != std::string::npos || name.find("gemm") != std::string::npos;
}

dnnl::convolution_forward::primitive_desc onednn_forward(const ConvolutionGeometry& g,
                                                         const OnednnLayouts& l,
                                                         const Layout& weight) {
  const auto kind = dnnl::prop_kind::forward_training;
  const auto direct = dnnl::algorithm::convolution_direct;
  using Forward = dnnl::convolution_forward;
  const dnnl::primitive_attr attributes = with_given_scratch();
  return g.has_bias
             ? onednn_described<Forward>(attributes, kind, direct, l.input, weight, l.bias,
                                         l.output, l.strides, l.dilates, l.padding, l.padding)
             : onednn_described<Forward>(attributes, kind, direct, l.input, weight, l.output,
                                         l.strides, l.dilates, l.padding, l.padding);
}

dnnl::convolution_backward_data::primitive_desc onednn_backward_data(
    const OnednnLayouts& l, const dnnl::convolution_forward::primitive_desc& hint) {
  return onednn_described_after<dnnl::convolution_backward_data>(
      hint, {}, dnnl::algorithm::convolution_direct, l.input, l.any_weight, l.output, l.strides,
      l.dilates, l.padding, l.padding);
}

dnnl::convolution_backward_weights::primitive_desc onednn_backward_weights(
    const ConvolutionGeometry& g, const OnednnLayouts& l, const Layout& weight,
    const dnnl::convolution_forward::primitive_desc& hint,
    const dnnl::primitive_attr& attributes = {}) {
  const auto direct = dnnl::algorithm::convolution_direct;
  using Backward = dnnl::convolution_backward_weights;
  return g.has_bias
             ? onednn_described_after<Backward>(hint, attributes, direct, l.input, weight, l.bias,
                                                l.output, l.strides, l.dilates, l.padding,
                                                l.padding)
             : onednn_described_after<Backward>(hint, attributes, direct, l.input, weight, l.output,
                                                l.strides, l.dilates, l.padding, l.padding);
}

// The kernels of all three directions.
struct OnednnKernels {
  dnnl::convolution_forward::primitive_desc forward;
  dnnl::convolution_backward_data::primitive_desc data;
  dnnl::convolution_backward_weights::primitive_desc weights;
};

// The kernel that takes the weight in the order in which its gradient comes, so that a weight that
// learns can stay in it; it is also the faster one, nearly always.
dnnl::convolution_forward::primitive_desc onednn_ordered_forward(
    const ConvolutionGeometry& geometry, const OnednnLayouts& layouts,
    const dnnl::convolution_forward::primitive_desc& any, const Layout& gradient) {
  if (are_same_places(any.weights_desc(), gradient)) return any;
  try {
    auto ordered = onednn_forward(geometry, layouts, gradient);
    return is_slow(ordered.impl_info_str()) ? any : ordered;
  } catch (const dnnl::error&) {
    return any;  // there is none
  }
}

std::optional<OnednnKernels> onednn_kernels(const ConvolutionGeometry& geometry,
                                            const OnednnLayouts& layouts) {
  try {
    const auto forward = onednn_forward(geometry, layouts, layouts.any_weight);
    const auto data = onednn_backward_data(layouts, forward);
    const auto weights = onednn_backward_weights(geometry, layouts, layouts.any_weight, forward);
    if (is_slow(forward.impl_info_str()) || is_slow(data.impl_info_str()) ||
        is_slow(weights.impl_info_str())) {
      return std::nullopt;
    }
    return OnednnKernels{
        onednn_ordered_forward(geometry, layouts, forward, weights.diff_weights_desc()), data,
        weights};
  } catch (const dnnl::error&) {
    return std::nullopt;  // not for this geometry
  }
}

// In which the gradient comes; none for the ordinary one.
std::optional<WeightOrder> onednn_gradient_order(const OnednnLayouts& layouts,
                                                 const OnednnKernels& kernels) {
  const Layout gradient = kernels.weights.diff_weights_desc();
  if (are_same_places(gradient, layouts.plain_weight)) return std::nullopt;
  return order_of_layout(gradient);
}

// The weight's gradient of a part of the batch, in the same order in memory as that of the whole.
OnednnWeightGradient onednn_weight_gradient(const ConvolutionGeometry& geometry,
                                            const OnednnKernels& kernels) {
  const Layout order = kernels.weights.diff_weights_desc();
  return {geometry, kernels.weights, [&](int64_t pictures, const dnnl::primitive_attr& attributes) {
            ConvolutionGeometry part = geometry;
            part.batch = pictures;
            const OnednnLayouts layouts(part);
            return onednn_backward_weights(part, layouts, order,
                                           onednn_forward(part, layouts, layouts.any_weight),
                                           attributes);
          }};
}

class OnednnConvolution : public ConvolutionMethod {
 public:
  OnednnConvolution(const ConvolutionGeometry& geometry, const OnednnLayouts& layouts,
                    const OnednnKernels& kernels)
      : ConvolutionMethod(geometry, onednn_gradient_order(layouts, kernels)),
        layouts_(layouts),
        gradient_layout_(kernels.weights.diff_weights_desc()),
        is_gradient_plain_(are_same_places(gradient_layout_, layouts.plain_weight)),
        forward_scratch_(kernels.forward.scratchpad_desc()),
        forward_(kernels.forward),
        data_(kernels.data),
        weights_(onednn_weight_gradient(geometry, kernels)),
        forward_weight_(layouts.plain_weight, gradient_layout_, kernels.forward.weights_desc()),
        data_weight_(layouts.plain_weight, gradient_layout_, kernels.data.weights_desc()),
        unpack_(gradient_layout_, layouts.plain_weight) {}

  void forward(const float* input, const at::Tensor& weight, const float* bias,
               float* output) override {
    std::unordered_map<int, dnnl::memory> arguments = {
        {DNNL_ARG_SRC, onednn_memory(layouts_.input, input)},
        {DNNL_ARG_WEIGHTS, forward_weight_.get(weight, is_in_order(weight))},
        {DNNL_ARG_DST, onednn_memory(layouts_.output, output)}};
    if (bias != nullptr) arguments.emplace(DNNL_ARG_BIAS, onednn_memory(layouts_.bias, bias));
    const at::Tensor scratch = onednn_scratch(forward_scratch_);
    arguments.emplace(DNNL_ARG_SCRATCHPAD,
                      onednn_memory(forward_scratch_, scratch.data_ptr<float>()));
    forward_.execute(onednn_stream(), arguments);
    if (geometry_.has_relu) run_relu(output);
  }

  void input_gradient(const float* gradient, const at::Tensor& weight,
                      float* input_gradient) override {
    data_.execute(onednn_stream(),
                  {{DNNL_ARG_DIFF_DST, onednn_memory(layouts_.output, gradient)},
                   {DNNL_ARG_WEIGHTS, data_weight_.get(weight, is_in_order(weight))},
                   {DNNL_ARG_DIFF_SRC, onednn_memory(layouts_.input, input_gradient)}});
  }

  void weight_gradient(const float* gradient, const float* input, const at::Tensor& weight_gradient,
                       float* bias_gradient) override {
    const bool is_direct = is_gradient_plain_ || is_in_order(weight_gradient);
    const at::Tensor target = is_direct ? weight_gradient : packed_gradient();
    weights_.run(gradient, input, target.data_ptr<float>(), bias_gradient);
    if (!is_direct) unpack_.run(target.data_ptr<float>(), weight_gradient.data_ptr<float>());
  }

 private:
  // oneDNN's own relu makes zeros of what is not a number.
  void run_relu(float* output) const {
    at::parallel_for(0, geometry_.rows() * geometry_.out, kReluGrain,
                     [&](int64_t from, int64_t to) {
                       add_tail_avx2(output + from, 1, to - from, 0, {nullptr, nullptr, true});
                     });
  }

  [[nodiscard]] at::Tensor packed_gradient() const {
    return at::empty({static_cast<int64_t>(gradient_layout_.get_size() / sizeof(float))},
                     at::kFloat);
  }

  OnednnLayouts layouts_;
  Layout gradient_layout_;
  bool is_gradient_plain_;
  Layout forward_scratch_;
  dnnl::convolution_forward forward_;
  dnnl::convolution_backward_data data_;
  OnednnWeightGradient weights_;
  OnednnWeight forward_weight_;
  OnednnWeight data_weight_;
  OnednnReorder unpack_;
};

}  // namespace

std::optional<MethodOrder> onednn_order(const ConvolutionGeometry& geometry) {
  const OnednnLayouts layouts(geometry);
  const auto kernels = onednn_kernels(geometry, layouts);
  if (!kernels) return std::nullopt;
  return MethodOrder{onednn_gradient_order(layouts, *kernels)};
}

ConvolutionMethodPointer onednn_method(const ConvolutionGeometry& geometry) {
  const OnednnLayouts layouts(geometry);
  const auto kernels = onednn_kernels(geometry, layouts);
  if (!kernels) return {};
  return c10::make_intrusive<OnednnConvolution>(geometry, layouts, *kernels);
}

}  // namespace hearth
