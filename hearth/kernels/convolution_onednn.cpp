// A convolution by oneDNN's own kernels, on channels-last images.
#include <string>

#include "hearth/kernels/convolution_plan.h"
#include "hearth/kernels/onednn.h"

namespace hearth {
namespace {

using Layout = dnnl::memory::desc;
using Tag = dnnl::memory::format_tag;
using Dims = dnnl::memory::dims;
constexpr auto kFloat32 = dnnl::memory::data_type::f32;

// What all three directions of one convolution are described by.
struct OnednnLayouts {
  explicit OnednnLayouts(const ConvolutionGeometry& g)
      : input({g.batch, g.in, g.height, g.width}, kFloat32, Tag::nhwc),
        output({g.batch, g.out, g.out_height(), g.out_width()}, kFloat32, Tag::nhwc),
        bias({g.out}, kFloat32, Tag::x),
        strides{g.shape.stride, g.shape.stride},
        dilates{g.shape.dilation - 1, g.shape.dilation - 1},
        padding{g.shape.padding, g.shape.padding} {
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
                                                         const OnednnLayouts& l) {
  dnnl::primitive_attr attributes;
  if (g.has_relu) {
    dnnl::post_ops after;
    after.append_eltwise(1.0F, dnnl::algorithm::eltwise_relu, 0.0F, 0.0F);
    attributes.set_post_ops(after);
  }
  const auto kind = dnnl::prop_kind::forward_training;
  const auto direct = dnnl::algorithm::convolution_direct;
  using Forward = dnnl::convolution_forward;
  const Forward::desc described =
      g.has_bias ? Forward::desc(kind, direct, l.input, l.any_weight, l.bias, l.output, l.strides,
                                 l.dilates, l.padding, l.padding)
                 : Forward::desc(kind, direct, l.input, l.any_weight, l.output, l.strides,
                                 l.dilates, l.padding, l.padding);
  return {described, attributes, onednn_engine()};
}

// The forward description is only a hint for the backward ones; the relu is not theirs.
dnnl::convolution_forward::primitive_desc onednn_hint(ConvolutionGeometry geometry,
                                                      const OnednnLayouts& layouts) {
  geometry.has_relu = false;
  return onednn_forward(geometry, layouts);
}

dnnl::convolution_backward_data::primitive_desc onednn_backward_data(
    const OnednnLayouts& l, const dnnl::convolution_forward::primitive_desc& hint) {
  return {{dnnl::algorithm::convolution_direct, l.input, l.any_weight, l.output, l.strides,
           l.dilates, l.padding, l.padding},
          onednn_engine(),
          hint};
}

dnnl::convolution_backward_weights::primitive_desc onednn_backward_weights(
    const ConvolutionGeometry& g, const OnednnLayouts& l,
    const dnnl::convolution_forward::primitive_desc& hint) {
  const auto direct = dnnl::algorithm::convolution_direct;
  using Backward = dnnl::convolution_backward_weights;
  const Backward::desc described =
      g.has_bias ? Backward::desc(direct, l.input, l.any_weight, l.bias, l.output, l.strides,
                                  l.dilates, l.padding, l.padding)
                 : Backward::desc(direct, l.input, l.any_weight, l.output, l.strides, l.dilates,
                                  l.padding, l.padding);
  return {described, onednn_engine(), hint};
}

// A weight in the layout one direction wants.
class OnednnWeight {
 public:
  OnednnWeight(const Layout& plain, const Layout& wanted) : plain_(plain), wanted_(wanted) {
    if (plain_ == wanted_) return;
    reorder_ = dnnl::reorder(onednn_memory(plain_, nullptr), onednn_memory(wanted_, nullptr));
  }

  [[nodiscard]] dnnl::memory get(const at::Tensor& weight) {
    if (plain_ == wanted_) return onednn_memory(wanted_, weight.data_ptr<float>());
    const auto size = static_cast<int64_t>(wanted_.get_size() / sizeof(float));
    return onednn_memory(wanted_, kept_.get(weight, size, [this](const float* from, float* to) {
      dnnl::memory source = onednn_memory(plain_, from);
      dnnl::memory target = onednn_memory(wanted_, to);
      reorder_.execute(onednn_stream(), source, target);
    }));
  }

 private:
  Layout plain_;
  Layout wanted_;
  dnnl::reorder reorder_;
  KeptWeight kept_;
};

class OnednnConvolution : public ConvolutionPlan {
 public:
  OnednnConvolution(const ConvolutionGeometry& geometry, const OnednnLayouts& layouts,
                    const dnnl::convolution_forward::primitive_desc& forward,
                    const dnnl::convolution_backward_data::primitive_desc& data,
                    const dnnl::convolution_backward_weights::primitive_desc& weights)
      : ConvolutionPlan(geometry),
        layouts_(layouts),
        forward_(forward),
        data_(data),
        weights_(weights),
        forward_weight_(layouts.plain_weight, forward.weights_desc()),
        data_weight_(layouts.plain_weight, data.weights_desc()),
        gradient_layout_(weights.diff_weights_desc()) {
    if (gradient_layout_ == layouts_.plain_weight) return;
    unpack_ = dnnl::reorder(onednn_memory(gradient_layout_, nullptr),
                            onednn_memory(layouts_.plain_weight, nullptr));
    packed_gradient_ =
        at::empty({static_cast<int64_t>(gradient_layout_.get_size() / sizeof(float))}, at::kFloat);
  }

  void forward(const float* input, const at::Tensor& weight, const float* bias,
               float* output) override {
    std::unordered_map<int, dnnl::memory> arguments = {
        {DNNL_ARG_SRC, onednn_memory(layouts_.input, input)},
        {DNNL_ARG_WEIGHTS, forward_weight_.get(weight)},
        {DNNL_ARG_DST, onednn_memory(layouts_.output, output)}};
    if (bias != nullptr) arguments.emplace(DNNL_ARG_BIAS, onednn_memory(layouts_.bias, bias));
    forward_.execute(onednn_stream(), arguments);
  }

  void input_gradient(const float* gradient, const at::Tensor& weight,
                      float* input_gradient) override {
    data_.execute(onednn_stream(),
                  {{DNNL_ARG_DIFF_DST, onednn_memory(layouts_.output, gradient)},
                   {DNNL_ARG_WEIGHTS, data_weight_.get(weight)},
                   {DNNL_ARG_DIFF_SRC, onednn_memory(layouts_.input, input_gradient)}});
  }

  void weight_gradient(const float* gradient, const float* input, const at::Tensor& weight_gradient,
                       float* bias_gradient) override {
    float* plain = weight_gradient.data_ptr<float>();
    const bool is_plain = !packed_gradient_.defined();
    dnnl::memory target =
        onednn_memory(gradient_layout_, is_plain ? plain : packed_gradient_.data_ptr<float>());
    std::unordered_map<int, dnnl::memory> arguments = {
        {DNNL_ARG_SRC, onednn_memory(layouts_.input, input)},
        {DNNL_ARG_DIFF_DST, onednn_memory(layouts_.output, gradient)},
        {DNNL_ARG_DIFF_WEIGHTS, target}};
    if (bias_gradient != nullptr) {
      arguments.emplace(DNNL_ARG_DIFF_BIAS, onednn_memory(layouts_.bias, bias_gradient));
    }
    weights_.execute(onednn_stream(), arguments);
    if (is_plain) return;
    dnnl::memory unpacked = onednn_memory(layouts_.plain_weight, plain);
    unpack_.execute(onednn_stream(), target, unpacked);
  }

 private:
  OnednnLayouts layouts_;
  dnnl::convolution_forward forward_;
  dnnl::convolution_backward_data data_;
  dnnl::convolution_backward_weights weights_;
  OnednnWeight forward_weight_;
  OnednnWeight data_weight_;
  Layout gradient_layout_;
  dnnl::reorder unpack_;
  at::Tensor packed_gradient_;  // undefined when nothing is packed
};

}  // namespace

ConvolutionPlanPointer onednn_plan(const ConvolutionGeometry& geometry) {
  const OnednnLayouts layouts(geometry);
  try {
    const auto forward = onednn_forward(geometry, layouts);
    const auto hint = onednn_hint(geometry, layouts);
    const auto data = onednn_backward_data(layouts, hint);
    const auto weights = onednn_backward_weights(geometry, layouts, hint);
    if (is_slow(forward.impl_info_str()) || is_slow(data.impl_info_str()) ||
        is_slow(weights.impl_info_str())) {
      return {};
    }
    return c10::make_intrusive<OnednnConvolution>(geometry, layouts, forward, data, weights);
  } catch (const dnnl::error&) {
    return {};  // not for this geometry
  }
}

}  // namespace hearth
