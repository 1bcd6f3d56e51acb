// A convolution with factors rounded to bfloat16 and float32 sums.
//
// Pictures of a batch are rows of a product: all of them see the same places of the window inside
// the picture, so that places in the padding cost nothing. Sums stay in registers over the whole
// window.
#include "hearth/kernels/convolution/convolution_bfloat16.h"

#include <ATen/Parallel.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <torch/csrc/autograd/custom_function.h>

#include <algorithm>

#include "hearth/kernels/activation/relu_gradient.h"
#include "hearth/kernels/convolution/bfloat16_pictures.h"
#include "hearth/kernels/convolution/tap_products_avx512bf16.h"
#include "hearth/kernels/second_order.h"

namespace hearth {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

constexpr int64_t kFewestPictures = 8;  // fewer are too few rows
// Below this, places of a row of the window are taken together where sums are over pictures.
constexpr int64_t kNarrowChannels = 32;
// Of pictures and gradients, that stay in the second cache while all weights see them.
constexpr int64_t kGradientBytes = 512 * 1024;

int64_t panels_of(int64_t channels) { return (channels + kPanelChannels - 1) / kPanelChannels; }
int64_t pairs_of_channels(int64_t channels) { return (channels + 1) / 2; }

// Where the weights of one place of the window lie: a row for each output channel.
struct TapMatrices {
  explicit TapMatrices(const ConvolutionGeometry& geometry)
      : g(geometry),
        is_by_rows(g.in < kNarrowChannels && g.kernel_width > 1 && g.shape.dilation[1] == 1) {}
  const ConvolutionGeometry& g;
  bool is_by_rows;  // one matrix for all places of a row of the window

  [[nodiscard]] int64_t stride() const { return is_by_rows ? g.kernel_width * g.in : g.in; }
  [[nodiscard]] int64_t at(int64_t row, int64_t column) const {
    return is_by_rows ? row * g.out * stride() + column * g.in
                      : (row * g.kernel_width + column) * g.out * g.in;
  }
};

// What of the input lies under a place of the window, if it lies inside.
struct Window {
  const ConvolutionGeometry& g;
  [[nodiscard]] int64_t y(int64_t out, int64_t row) const {
    return out * g.shape.stride[0] - g.shape.padding[0] + row * g.shape.dilation[0];
  }
  [[nodiscard]] int64_t x(int64_t out, int64_t column) const {
    return out * g.shape.stride[1] - g.shape.padding[1] + column * g.shape.dilation[1];
  }
  [[nodiscard]] bool has_row(int64_t y) const { return y >= 0 && y < g.height; }
  [[nodiscard]] bool has(int64_t y, int64_t x) const { return has_row(y) && x >= 0 && x < g.width; }
};

// Which output sees an input's place along one axis; -1 for none.
int64_t seen_from(int64_t at, int64_t tap, size_t axis, const ConvolutionGeometry& g,
                  int64_t places) {
  const int64_t shifted = at + g.shape.padding[axis] - tap * g.shape.dilation[axis];
  if (shifted < 0 || shifted % g.shape.stride[axis] != 0) return -1;
  const int64_t out = shifted / g.shape.stride[axis];
  return out < places ? out : -1;
}

// From pictures of one size to pictures of another, by weights in panels [panel of output channels,
// place of the window, pair of channels, 32].
struct TapPass {
  const TurnedPictures& source;
  const uint32_t* panels;
  int64_t taps;
  int64_t batch, height, width, channels;  // of the result
  float* result;
  const float* bias;
  bool relu;

  [[nodiscard]] int64_t tap_size() const { return source.pairs() * kPanelChannels; }
};

// One panel of channels at one place, of all pictures.
void run_place(const TapPass& pass, const std::vector<TapSegment>& segments, int64_t place,
               int64_t panel) {
  const int64_t size = pass.height * pass.width * pass.channels;
  const int64_t first = panel * kPanelChannels;
  const int64_t rows = pass.source.rows();
  for (int64_t tile = 0; tile < pass.source.tiles(); ++tile) {
    multiply_taps({segments.data(), static_cast<int64_t>(segments.size()), pass.source.pairs(),
                   kPictureLanes, kPanelChannels, tile * pass.source.pairs() * kPictureLanes,
                   panel * pass.taps * pass.tap_size(), std::min(rows, pass.batch - tile * rows),
                   std::min(kPanelChannels, pass.channels - first),
                   pass.result + tile * rows * size + place * pass.channels + first, size, false,
                   pass.bias == nullptr ? nullptr : pass.bias + first, pass.relu});
  }
}

// `find(y, x, segments)` says what a place of the result sums over. Threads share the places, or
// the channels where there are more of those.
template <class Find>
void run_taps(const TapPass& pass, const Find& find) {
  const int64_t places = pass.height * pass.width;
  const int64_t panels = panels_of(pass.channels);
  const bool by_channels = pass.channels > places * pass.batch;
  at::parallel_for(0, by_channels ? panels : places, 1, [&](int64_t from, int64_t to) {
    std::vector<TapSegment> segments;
    for (int64_t panel = by_channels ? from : 0; panel < (by_channels ? to : panels); ++panel) {
      for (int64_t place = by_channels ? 0 : from; place < (by_channels ? places : to); ++place) {
        segments.clear();
        find(place / pass.width, place % pass.width, segments);
        run_place(pass, segments, place, panel);
      }
    }
  });
}

Pictures input_of(const ConvolutionGeometry& g, const float* values) {
  return {values, g.batch, g.height, g.width, g.in};
}

Pictures output_of(const ConvolutionGeometry& g, const float* values) {
  return {values, g.batch, g.out_height(), g.out_width(), g.out};
}

// The weight as its matrices, which a weight in another order is copied into.
at::Tensor as_matrices(const ConvolutionGeometry& g, const at::Tensor& weight) {
  if (bfloat16_order(g).is_order_of(weight)) return weight;
  const at::Tensor ordinary = weight.reshape(ordinary_sizes(weight));
  return TapMatrices(g).is_by_rows ? ordinary.permute({2, 0, 3, 1}).contiguous()
                                   : ordinary.permute({2, 3, 0, 1}).contiguous();
}

int64_t forward_panel_size(const ConvolutionGeometry& g) {
  return panels_of(g.out) * kPanelChannels * g.kernel_height * g.kernel_width *
         pairs_of_channels(g.in);
}

// Calls pack(row, column, panel, into) for each place of the window and panel of channels.
template <class Pack>
void pack_panels(const ConvolutionGeometry& g, int64_t panels, int64_t tap_size, uint32_t* into,
                 const Pack& pack) {
  const int64_t taps = g.kernel_height * g.kernel_width;
  at::parallel_for(0, panels * taps, 1, [&](int64_t from, int64_t to) {
    for (int64_t item = from; item < to; ++item) {
      const int64_t tap = item % taps;
      pack(tap / g.kernel_width, tap % g.kernel_width, item / taps, into + item * tap_size);
    }
  });
}

void pack_forward(const ConvolutionGeometry& g, const float* weight, uint32_t* panels) {
  const TapMatrices matrices(g);
  pack_panels(g, panels_of(g.out), pairs_of_channels(g.in) * kPanelChannels, panels,
              [&](int64_t row, int64_t column, int64_t panel, uint32_t* into) {
                const int64_t first = panel * kPanelChannels;
                pack_columns(weight + matrices.at(row, column) + first * matrices.stride(),
                             matrices.stride(), g.out - first, g.in, into);
              });
}

void pack_backward(const ConvolutionGeometry& g, const float* weight, uint32_t* panels) {
  const TapMatrices matrices(g);
  pack_panels(g, panels_of(g.in), pairs_of_channels(g.out) * kPanelChannels, panels,
              [&](int64_t row, int64_t column, int64_t panel, uint32_t* into) {
                const int64_t first = panel * kPanelChannels;
                pack_rows(weight + matrices.at(row, column) + first, matrices.stride(),
                          g.in - first, g.out, into);
              });
}

void run_forward(const ConvolutionGeometry& g, const float* input, const uint32_t* panels,
                 const float* bias, float* output) {
  const TurnedPictures source(input_of(g, input));
  const TapPass pass{source,    panels,         g.kernel_height * g.kernel_width,
                     g.batch,   g.out_height(), g.out_width(),
                     g.out,     output,         bias,
                     g.has_relu};
  const Window window{g};
  run_taps(pass, [&](int64_t y, int64_t x, std::vector<TapSegment>& segments) {
    for (int64_t tap = 0; tap < pass.taps; ++tap) {
      const int64_t from_y = window.y(y, tap / g.kernel_width);
      const int64_t from_x = window.x(x, tap % g.kernel_width);
      if (window.has(from_y, from_x))
        segments.push_back({source.at(from_y, from_x, 0), panels + tap * pass.tap_size()});
    }
  });
}

void run_input_gradient(const ConvolutionGeometry& g, const float* gradient,
                        const at::Tensor& weight, float* input_gradient) {
  const TurnedPictures source(output_of(g, gradient));
  const int64_t taps = g.kernel_height * g.kernel_width;
  const at::Tensor memory =
      at::empty({panels_of(g.in) * taps * source.pairs() * kPanelChannels}, at::kInt);
  auto* const panels = reinterpret_cast<uint32_t*>(memory.data_ptr<int>());
  pack_backward(g, as_matrices(g, weight).data_ptr<float>(), panels);
  const TapPass pass{source,  panels, taps,           g.batch, g.height,
                     g.width, g.in,   input_gradient, nullptr, false};
  run_taps(pass, [&](int64_t y, int64_t x, std::vector<TapSegment>& segments) {
    for (int64_t tap = 0; tap < taps; ++tap) {
      const int64_t from_y = seen_from(y, tap / g.kernel_width, 0, g, g.out_height());
      const int64_t from_x = seen_from(x, tap % g.kernel_width, 1, g, g.out_width());
      if (from_y >= 0 && from_x >= 0)
        segments.push_back({source.at(from_y, from_x, 0), panels + tap * pass.tap_size()});
    }
  });
}

// The weight's gradient: a product for each matrix of weights, of gradients and of what its places
// of the window see.
class WeightGradientPass {
 public:
  WeightGradientPass(const ConvolutionGeometry& g, const PairedPictures& input,
                     const PairedPictures& gradient, float* into)
      : g_(g), matrices_(g), input_(input), gradient_(gradient), into_(into) {}

  // Some rows of the output at a time.
  void run() const {
    const int64_t rows = g_.out_height();
    const int64_t bytes =
        g_.batch * (g_.out_width() * g_.out + g_.width * g_.shape.stride[0] * g_.in) * 2;
    const int64_t part = std::clamp<int64_t>(kGradientBytes / bytes, 1, rows);
    for (int64_t first = 0; first < rows; first += part)
      run_rows(first, std::min(rows, first + part));
  }

 private:
  [[nodiscard]] int64_t matrices() const {
    return g_.kernel_height * (matrices_.is_by_rows ? 1 : g_.kernel_width);
  }
  [[nodiscard]] int64_t tiles() const { return (g_.out + kTilePictures - 1) / kTilePictures; }

  void run_rows(int64_t first, int64_t last) const {
    const int64_t panels = panels_of(matrices_.stride());
    const int64_t of_matrix = panels * tiles();
    at::parallel_for(0, matrices() * of_matrix, 1, [&](int64_t from, int64_t to) {
      std::vector<TapSegment> segments;
      for (int64_t item = from; item < to; ++item) {
        const int64_t matrix = item / of_matrix;
        if (item == from || item % of_matrix == 0) find(matrix, first, last, segments);
        run_tile(matrix, item % of_matrix / tiles(), item % tiles(), first > 0, segments);
      }
    });
  }

  void find(int64_t matrix, int64_t first, int64_t last, std::vector<TapSegment>& segments) const {
    const Window window{g_};
    const int64_t across = matrices_.is_by_rows ? 1 : g_.kernel_width;
    segments.clear();
    for (int64_t y = first; y < last; ++y) {
      const int64_t from_y = window.y(y, matrix / across);
      if (!window.has_row(from_y)) continue;
      for (int64_t x = 0; x < g_.out_width(); ++x) {
        const int64_t from_x = window.x(x, matrix % across);
        if (matrices_.is_by_rows || window.has(from_y, from_x))
          segments.push_back({gradient_.at(y, x), input_.at(from_y, from_x)});
      }
    }
  }

  void run_tile(int64_t matrix, int64_t panel, int64_t tile, bool adds,
                const std::vector<TapSegment>& segments) const {
    const int64_t stride = matrices_.stride();
    const int64_t column = panel * kPanelChannels;
    const int64_t row = tile * kTilePictures;
    multiply_taps({segments.data(), static_cast<int64_t>(segments.size()), gradient_.pairs(),
                   gradient_.step(), input_.step(), row, column,
                   std::min(kTilePictures, g_.out - row), std::min(kPanelChannels, stride - column),
                   into_ + (matrix * g_.out + row) * stride + column, stride, adds, nullptr,
                   false});
  }

  const ConvolutionGeometry& g_;
  TapMatrices matrices_;
  const PairedPictures& input_;
  const PairedPictures& gradient_;
  float* into_;
};

// The gradient as matrices, in the form of the weight.
at::Tensor weight_gradient_of(const ConvolutionGeometry& g, const at::Tensor& paired_input,
                              const float* gradient, const at::Tensor& weight) {
  const bool by_rows = TapMatrices(g).is_by_rows;
  const PairedPictures input(paired_input, input_of(g, nullptr), by_rows, g.shape.padding[1]);
  const PairedPictures flow(output_of(g, gradient), false, 0);
  if (bfloat16_order(g).is_order_of(weight)) {
    const at::Tensor into = at::empty_like(weight);
    WeightGradientPass(g, input, flow, into.data_ptr<float>()).run();
    return into;
  }
  const at::Tensor matrices =
      by_rows ? at::empty({g.kernel_height, g.out, g.kernel_width, g.in}, weight.options())
              : at::empty({g.kernel_height, g.kernel_width, g.out, g.in}, weight.options());
  WeightGradientPass(g, input, flow, matrices.data_ptr<float>()).run();
  return (by_rows ? matrices.permute({1, 3, 0, 2}) : matrices.permute({2, 3, 0, 1})).contiguous();
}

// What the backward pass is told of the forward pass.
struct KeptGeometry : torch::CustomClassHolder {
  explicit KeptGeometry(const ConvolutionGeometry& geometry) : g(geometry) {}
  ConvolutionGeometry g;
};

struct Bfloat16ConvolutionFunction : torch::autograd::Function<Bfloat16ConvolutionFunction> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& input,
                            const at::Tensor& weight, const c10::optional<at::Tensor>& bias,
                            const ConvolutionGeometry& g, KeptWeight* kept, bool learns) {
    const at::Tensor output = empty_image(input, {g.batch, g.out, g.out_height(), g.out_width()});
    const float* panels = kept->get(weight, forward_panel_size(g), [&](const float*, float* into) {
      pack_forward(g, as_matrices(g, weight).data_ptr<float>(), reinterpret_cast<uint32_t*>(into));
    });
    run_forward(g, input.data_ptr<float>(), reinterpret_cast<const uint32_t*>(panels),
                bias ? bias->data_ptr<float>() : nullptr, output.data_ptr<float>());
    if (!learns) return output;
    const PairedPictures paired(input_of(g, input.data_ptr<float>()), TapMatrices(g).is_by_rows,
                                g.shape.padding[1]);
    context->save_for_backward({paired.memory(), weight, g.has_relu ? output : at::Tensor()});
    context->saved_data["geometry"] =
        at::IValue::make_capsule(c10::make_intrusive<KeptGeometry>(g));
    return output;
  }

  static variable_list backward(AutogradContext* context, const variable_list& gradients) {
    refuse_second_order();
    const auto capsule = context->saved_data["geometry"].toCapsule();
    const ConvolutionGeometry& g = static_cast<const KeptGeometry&>(*capsule).g;
    const variable_list saved = context->get_saved_variables();
    at::Tensor gradient = gradients[0].contiguous(at::MemoryFormat::ChannelsLast);
    if (saved[2].defined()) gradient = relu_gradient(gradient, saved[2]);
    variable_list results(6);
    if (context->needs_input_grad(0)) {
      results[0] = empty_image(gradient, {g.batch, g.in, g.height, g.width});
      run_input_gradient(g, gradient.data_ptr<float>(), saved[1], results[0].data_ptr<float>());
    }
    if (context->needs_input_grad(1))
      results[1] = weight_gradient_of(g, saved[0], gradient.data_ptr<float>(), saved[1]);
    if (g.has_bias && context->needs_input_grad(2)) {
      results[2] = at::empty({g.out}, gradient.options());
      sum_places(gradient.data_ptr<float>(), g.rows(), g.out, g.threads,
                 results[2].data_ptr<float>());
    }
    return results;
  }
};

}  // namespace

bool has_bfloat16_convolution(const ConvolutionGeometry& g) {
  return has_bfloat16_unit() && g.shape.groups == 1 && g.batch >= kFewestPictures;
}

WeightOrder bfloat16_order(const ConvolutionGeometry& g) {
  const TapMatrices matrices(g);
  return {{g.out, 1, g.in, 1, g.kernel_height, g.kernel_width},
          {matrices.stride(), 1, 1, 1, matrices.at(1, 0), matrices.at(0, 1)}};
}

at::Tensor bfloat16_convolution(const ConvolutionGeometry& geometry, const at::Tensor& input,
                                const at::Tensor& weight, const c10::optional<at::Tensor>& bias,
                                KeptWeight& kept) {
  const bool learns =
      at::GradMode::is_enabled() &&
      (input.requires_grad() || weight.requires_grad() || (bias && bias->requires_grad()));
  return Bfloat16ConvolutionFunction::apply(input, weight, bias, geometry, &kept, learns);
}

}  // namespace hearth
