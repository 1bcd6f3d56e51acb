// A convolution as a matrix product: every place of the window becomes a row. For shapes oneDNN has
// no kernel for, and for few or odd channels, where a matrix product wastes less.
#include <ATen/Parallel.h>
#include <ATen/ops/empty.h>

#include <algorithm>
#include <cstring>

#include "hearth/kernels/convolution/convolution_method.h"
#include "hearth/kernels/onednn.h"
#include "hearth/kernels/parts.h"
#include "hearth/kernels/product/rows_avx2.h"

namespace hearth {
namespace {

// Rows of windows that a thread works on at a time stay in its second-level cache.
constexpr int64_t kBlockBytes = 256 * 1024;
// A gradient of the weights up to this size is summed by every thread in memory of its own.
constexpr int64_t kOwnGradientBytes = 1024 * 1024;

// [O, inner, outer] to [O, outer, inner]: an ordinary weight [O, I, H W] to rows [O, H W, I], and
// back with the two numbers exchanged.
void exchange_axes(int64_t out, int64_t inner, int64_t outer, const float* from, float* to) {
  for (int64_t o = 0; o < out; ++o)
    for (int64_t i = 0; i < inner; ++i)
      for (int64_t k = 0; k < outer; ++k)
        to[(o * outer + k) * inner + i] = from[(o * inner + i) * outer + k];
}

// One row of a window, as the columns of the image that lie in it: [first, last) of the kernel.
struct ColumnSpan {
  int64_t first;
  int64_t last;
};

class MatrixConvolution : public ConvolutionMethod {
 public:
  explicit MatrixConvolution(const ConvolutionGeometry& geometry)
      : ConvolutionMethod(geometry, matrix_order(geometry)) {}

  void forward(const float* input, const at::Tensor& weight, const float* bias,
               float* output) override {
    const float* rows_of_weight = packed(weight);
    at::parallel_for(0, geometry_.rows(), block_rows(), [&](int64_t from, int64_t to) {
      std::vector<float> windows(static_cast<size_t>(block_rows() * geometry_.window()));
      for (int64_t row = from; row < to; row += block_rows()) {
        const int64_t count = std::min(block_rows(), to - row);
        gather(input, row, count, windows.data());
        float* part = output + row * geometry_.out;
        multiply(count, geometry_.out, geometry_.window(), {windows.data(), geometry_.window()},
                 {rows_of_weight, geometry_.window(), true}, part, geometry_.out);
        add_tail_avx2(part, count, geometry_.out, geometry_.out,
                      {bias, nullptr, geometry_.has_relu});
      }
    });
  }

  // By whole images: neighbouring windows add to the same values.
  void input_gradient(const float* gradient, const at::Tensor& weight,
                      float* input_gradient) override {
    const float* rows_of_weight = packed(weight);
    const int64_t image_rows = geometry_.out_height() * geometry_.out_width();
    const int64_t image_values = geometry_.height * geometry_.width * geometry_.in;
    at::parallel_for(0, geometry_.batch, 1, [&](int64_t from, int64_t to) {
      std::vector<float> windows(static_cast<size_t>(block_rows() * geometry_.window()));
      std::fill(input_gradient + from * image_values, input_gradient + to * image_values, 0.0F);
      for (int64_t row = from * image_rows; row < to * image_rows; row += block_rows()) {
        const int64_t count = std::min(block_rows(), to * image_rows - row);
        multiply(count, geometry_.window(), geometry_.out,
                 {gradient + row * geometry_.out, geometry_.out},
                 {rows_of_weight, geometry_.window()}, windows.data(), geometry_.window());
        scatter(windows.data(), row, count, input_gradient);
      }
    });
  }

  void weight_gradient(const float* gradient, const float* input, const at::Tensor& weight_gradient,
                       float* bias_gradient) override {
    if (has_rows(weight_gradient)) {
      sum_into(gradient, input, weight_gradient.data_ptr<float>());
    } else {
      const at::Tensor rows = at::empty({weight_gradient.numel()}, at::kFloat);
      sum_into(gradient, input, rows.data_ptr<float>());
      exchange_axes(geometry_.out, taps(), geometry_.in, rows.data_ptr<float>(),
                    weight_gradient.data_ptr<float>());
    }
    if (bias_gradient != nullptr) sum_bias_gradient(gradient, bias_gradient);
  }

 private:
  [[nodiscard]] int64_t taps() const { return geometry_.kernel_height * geometry_.kernel_width; }
  [[nodiscard]] int64_t weight_values() const { return geometry_.out * geometry_.window(); }

  [[nodiscard]] int64_t block_rows() const {
    const int64_t bytes = geometry_.window() * static_cast<int64_t>(sizeof(float));
    return std::clamp<int64_t>(kBlockBytes / bytes, 8, 512);
  }

  // Whether the weights of a window lie one behind the other, as a row.
  [[nodiscard]] bool has_rows(const at::Tensor& weight) const {
    return taps() == 1 || is_in_order(weight);
  }

  [[nodiscard]] const float* packed(const at::Tensor& weight) {
    if (has_rows(weight)) return weight.data_ptr<float>();
    return kept_.get(weight, weight.numel(), [this](const float* from, float* to) {
      exchange_axes(geometry_.out, geometry_.in, taps(), from, to);
    });
  }

  // The weight's gradient as rows.
  void sum_into(const float* gradient, const float* input, float* sum) const {
    const int64_t bytes = weight_values() * static_cast<int64_t>(sizeof(float));
    if (bytes <= kOwnGradientBytes) {
      sum_by_threads(gradient, input, sum);
    } else {
      sum_at_once(gradient, input, sum);
    }
  }

  // Threads sum over parts of the rows; the sums are added in the order of the threads.
  void sum_by_threads(const float* gradient, const float* input, float* sum) const {
    const int64_t parts = std::min<int64_t>(geometry_.threads, geometry_.batch);
    const int64_t values = weight_values();
    std::vector<float> sums(static_cast<size_t>(parts * values));
    for_parts(geometry_.rows(), parts, [&](int64_t part, int64_t first, int64_t rows) {
      sum_rows_of(gradient, input, first, first + rows, sums.data() + part * values);
    });
    sum_rows_avx2(sums.data(), parts, values, values, sum);
  }

  void sum_rows_of(const float* gradient, const float* input, int64_t from, int64_t to,
                   float* sum) const {
    std::vector<float> windows(static_cast<size_t>(block_rows() * geometry_.window()));
    for (int64_t row = from; row < to; row += block_rows()) {
      const int64_t count = std::min(block_rows(), to - row);
      gather(input, row, count, windows.data());
      multiply(geometry_.out, geometry_.window(), count,
               {gradient + row * geometry_.out, geometry_.out, true},
               {windows.data(), geometry_.window()}, sum, geometry_.window(), 1, 1);
    }
  }

  void sum_at_once(const float* gradient, const float* input, float* sum) const {
    std::vector<float> windows(static_cast<size_t>(geometry_.rows() * geometry_.window()));
    at::parallel_for(0, geometry_.rows(), 16, [&](int64_t from, int64_t to) {
      gather(input, from, to - from, windows.data() + from * geometry_.window());
    });
    multiply(geometry_.out, geometry_.window(), geometry_.rows(), {gradient, geometry_.out, true},
             {windows.data(), geometry_.window()}, sum, geometry_.window());
  }

  // The window's columns that lie in the image when it starts at `start`.
  [[nodiscard]] ColumnSpan columns_inside(int64_t start) const {
    const int64_t step = geometry_.shape.dilation[1];
    const int64_t first = start < 0 ? (-start + step - 1) / step : 0;
    const int64_t space = geometry_.width - 1 - start;
    const int64_t last = space < 0 ? 0 : std::min(geometry_.kernel_width, space / step + 1);
    return {std::min(first, last), last};
  }

  // Calls `visit(values of the window's row, pixel of the image or null)` for every row of windows.
  template <class Visit>
  void for_window_rows(int64_t row, int64_t count, const Visit& visit) const {
    const ConvolutionGeometry& g = geometry_;
    const int64_t width = g.out_width();
    const int64_t image = g.out_height() * width;
    for (int64_t r = row; r < row + count; ++r) {
      const int64_t x = r % width * g.shape.stride[1] - g.shape.padding[1];
      const int64_t y = r % image / width * g.shape.stride[0] - g.shape.padding[0];
      const ColumnSpan span = columns_inside(x);
      for (int64_t k = 0; k < g.kernel_height; ++k) {
        const int64_t line = y + k * g.shape.dilation[0];
        const bool is_inside = line >= 0 && line < g.height && span.first < span.last;
        const int64_t pixel = is_inside ? ((r / image) * g.height + line) * g.width + x : -1;
        visit(((r - row) * g.kernel_height + k) * g.kernel_width, span, is_inside, pixel);
      }
    }
  }

  void gather(const float* input, int64_t row, int64_t count, float* windows) const {
    const int64_t in = geometry_.in;
    for_window_rows(row, count,
                    [&](int64_t place, const ColumnSpan& span, bool is_inside, int64_t pixel) {
                      float* to = windows + place * in;
                      const int64_t size = geometry_.kernel_width * in;
                      if (!is_inside) {
                        std::fill(to, to + size, 0.0F);
                        return;
                      }
                      std::fill(to, to + span.first * in, 0.0F);
                      std::fill(to + span.last * in, to + size, 0.0F);
                      copy_columns(input, pixel, span, to);
                    });
  }

  void copy_columns(const float* input, int64_t pixel, const ColumnSpan& span, float* to) const {
    const int64_t in = geometry_.in;
    const int64_t step = geometry_.shape.dilation[1];
    if (step == 1) {
      std::memcpy(to + span.first * in, input + (pixel + span.first) * in,
                  static_cast<size_t>((span.last - span.first) * in) * sizeof(float));
      return;
    }
    for (int64_t c = span.first; c < span.last; ++c)
      std::copy_n(input + (pixel + c * step) * in, in, to + c * in);
  }

  void scatter(const float* windows, int64_t row, int64_t count, float* image) const {
    const int64_t in = geometry_.in;
    for_window_rows(row, count,
                    [&](int64_t place, const ColumnSpan& span, bool is_inside, int64_t pixel) {
                      if (!is_inside) return;
                      for (int64_t c = span.first; c < span.last; ++c) {
                        const float* from = windows + (place + c) * in;
                        float* to = image + (pixel + c * geometry_.shape.dilation[1]) * in;
                        for (int64_t i = 0; i < in; ++i) to[i] += from[i];
                      }
                    });
  }

  KeptWeight kept_;
};

}  // namespace

// Every output channel's weights as a row [H, W, I], as the windows come.
std::optional<WeightOrder> matrix_order(const ConvolutionGeometry& g) {
  if (g.shape.groups != 1 || g.kernel_height * g.kernel_width == 1) return std::nullopt;
  return WeightOrder{{g.out, 1, g.in, 1, g.kernel_height, g.kernel_width},
                     {g.window(), 1, 1, 1, g.kernel_width * g.in, g.in}};
}

ConvolutionMethodPointer matrix_method(const ConvolutionGeometry& geometry) {
  if (geometry.shape.groups != 1) return {};
  return c10::make_intrusive<MatrixConvolution>(geometry);
}

}  // namespace hearth
