// A convolution of every channel by itself, on channels-last images: neighbouring channels side by
// side in a vector, so that whatever the window, nothing is gathered or reordered.
#include <ATen/Parallel.h>

#include <algorithm>

#include "hearth/kernels/convolution/convolution_method.h"
#include "hearth/kernels/convolution/depthwise_axis.h"
#include "hearth/kernels/convolution/depthwise_rows.h"
#include "hearth/kernels/kernels.h"
#include "hearth/kernels/parts.h"
#include "hearth/kernels/product/rows_avx2.h"

namespace hearth {
namespace {

constexpr int64_t kDepthwiseGrain = 40'000;  // multiply-adds worth a thread
// Rows of places whose gradients are summed before they join the sum of all: short sums keep their
// digits.
constexpr int64_t kDepthwiseRows = 64;

WindowAxis rows_of(const ConvolutionGeometry& g) {
  return {g.height,          g.out_height(),     g.kernel_height,
          g.shape.stride[0], g.shape.padding[0], g.shape.dilation[0]};
}

WindowAxis columns_of(const ConvolutionGeometry& g) {
  return {g.width,           g.out_width(),      g.kernel_width,
          g.shape.stride[1], g.shape.padding[1], g.shape.dilation[1]};
}

// A pass from one image to another: forward, or back to the input's gradient.
struct DepthwisePass {
  DepthwiseAxis rows;
  DepthwiseAxis columns;
  DepthwiseRunKernel run;  // for columns that see the whole window; null for none
};

struct DepthwiseImages {
  const float* source;
  int64_t source_height, source_width;
  const float* weights;  // [places of the window, channels]
  DepthwiseTail tail;
  float* target;
};

class DepthwiseConvolution : public ConvolutionMethod {
 public:
  explicit DepthwiseConvolution(const ConvolutionGeometry& geometry)
      : ConvolutionMethod(geometry),
        kernels_(depthwise_kernels()),
        forward_{DepthwiseAxis::forward(rows_of(geometry)),
                 DepthwiseAxis::forward(columns_of(geometry)), forward_run()},
        backward_{DepthwiseAxis::backward(rows_of(geometry)),
                  DepthwiseAxis::backward(columns_of(geometry)), backward_run()} {}

  void forward(const float* input, const at::Tensor& weight, const float* bias,
               float* output) override {
    pass_over(forward_, {input,
                         geometry_.height,
                         geometry_.width,
                         by_places(weight),
                         {bias, geometry_.has_relu},
                         output});
  }

  void input_gradient(const float* gradient, const at::Tensor& weight,
                      float* input_gradient) override {
    pass_over(backward_, {gradient,
                          geometry_.out_height(),
                          geometry_.out_width(),
                          turned_by_places(weight),
                          {nullptr, false},
                          input_gradient});
  }

  void weight_gradient(const float* gradient, const float* input, const at::Tensor& weight_gradient,
                       float* bias_gradient) override {
    const int64_t rows = geometry_.batch * geometry_.out_height();
    const int64_t parts = std::min<int64_t>(geometry_.threads, rows);
    const int64_t values = taps() * channels();
    std::vector<float> sums(static_cast<size_t>(parts * values));
    for_parts(rows, parts, [&](int64_t part, int64_t first, int64_t count) {
      sum_part(gradient, input, first, first + count, sums.data() + part * values);
    });
    std::vector<float> all(static_cast<size_t>(values));
    sum_rows_avx2(sums.data(), parts, values, values, all.data());
    float* into = weight_gradient.data_ptr<float>();
    for (int64_t c = 0; c < channels(); ++c)
      for (int64_t t = 0; t < taps(); ++t)
        into[c * taps() + t] = all[static_cast<size_t>(t * channels() + c)];
    if (bias_gradient != nullptr) sum_bias_gradient(gradient, bias_gradient);
  }

 private:
  [[nodiscard]] int64_t taps() const { return geometry_.kernel_height * geometry_.kernel_width; }
  [[nodiscard]] int64_t channels() const { return geometry_.out; }

  // Runs want the rows and columns of a window close together.
  [[nodiscard]] DepthwiseRunKernel forward_run() const {
    const WindowAxis columns = columns_of(geometry_);
    if (rows_of(geometry_).dilation != 1 || columns.dilation != 1) return nullptr;
    return kernels_.run(columns.kernel, columns.stride);
  }
  [[nodiscard]] DepthwiseRunKernel backward_run() const {
    const bool is_close = rows_of(geometry_).stride == 1 && columns_of(geometry_).stride == 1;
    return is_close ? forward_run() : nullptr;
  }

  // [C, 1, H, W] to [H, W, C], and to the same with the window turned around.
  const float* by_places(const at::Tensor& weight) {
    return kept_.get(weight, weight.numel(), [this](const float* from, float* to) {
      for (int64_t t = 0; t < taps(); ++t)
        for (int64_t c = 0; c < channels(); ++c) to[t * channels() + c] = from[c * taps() + t];
    });
  }
  const float* turned_by_places(const at::Tensor& weight) {
    return turned_.get(weight, weight.numel(), [this](const float* from, float* to) {
      for (int64_t t = 0; t < taps(); ++t)
        for (int64_t c = 0; c < channels(); ++c)
          to[t * channels() + c] = from[(c + 1) * taps() - 1 - t];
    });
  }

  void pass_over(const DepthwisePass& pass, const DepthwiseImages& images) const {
    const int64_t height = pass.rows.targets();
    const int64_t work = pass.columns.targets() * channels() * taps();
    at::parallel_for(0, geometry_.batch * height, kDepthwiseGrain / work + 1,
                     [&](int64_t from, int64_t to) {
                       std::vector<DepthwiseTap> memory(static_cast<size_t>(taps()));
                       for (int64_t row = from; row < to; ++row)
                         fill_row(pass, images, row, memory.data());
                     });
  }

  // `row` counts the rows of all images; `memory` holds the taps of a point.
  void fill_row(const DepthwisePass& pass, const DepthwiseImages& images, int64_t row,
                DepthwiseTap* memory) const {
    const int64_t width = pass.columns.targets();
    const std::vector<AxisTap>& lines = pass.rows.taps(row % pass.rows.targets());
    const float* image = images.source + row / pass.rows.targets() * images.source_height *
                                             images.source_width * channels();
    float* target = images.target + row * width * channels();
    auto [first, last] = pass.columns.whole();
    if (pass.run == nullptr || lines.empty()) first = last = width;
    const auto fill_point = [&](int64_t column) {
      const int64_t count = gather_taps(pass, images, image, lines, column, memory);
      kernels_.point({memory, count, images.tail, target + column * channels()}, channels());
    };
    for (int64_t column = 0; column < first; ++column) fill_point(column);
    for (int64_t column = last; column < width; ++column) fill_point(column);
    if (first == last) return;
    const int64_t start =
        lines[0].source * images.source_width + pass.columns.taps(first)[0].source;
    pass.run({image + start * channels(), images.source_width * channels(),
              static_cast<int64_t>(lines.size()),
              images.weights + lines[0].kernel * geometry_.kernel_width * channels(), last - first,
              images.tail, target + first * channels()},
             channels());
  }

  // How many there are.
  int64_t gather_taps(const DepthwisePass& pass, const DepthwiseImages& images, const float* image,
                      const std::vector<AxisTap>& lines, int64_t column, DepthwiseTap* taps) const {
    int64_t count = 0;
    for (const AxisTap& line : lines)
      for (const AxisTap& tap : pass.columns.taps(column)) {
        const int64_t place = line.kernel * geometry_.kernel_width + tap.kernel;
        taps[count++] = {image + (line.source * images.source_width + tap.source) * channels(),
                         images.weights + place * channels()};
      }
    return count;
  }

  // The weight's gradient over rows [from, to) of all images.
  void sum_part(const float* gradient, const float* input, int64_t from, int64_t to,
                float* sum) const {
    const int64_t values = taps() * channels();
    std::vector<float> some(static_cast<size_t>(values));
    for (int64_t first = from; first < to; first += kDepthwiseRows) {
      std::fill(some.begin(), some.end(), 0.0F);
      for (int64_t row = first; row < std::min(to, first + kDepthwiseRows); ++row)
        sum_row(gradient, input, row, some.data());
      for (int64_t i = 0; i < values; ++i) sum[i] += some[static_cast<size_t>(i)];
    }
  }

  void sum_row(const float* gradient, const float* input, int64_t row, float* sums) const {
    const int64_t height = geometry_.out_height();
    const float* flow = gradient + row * geometry_.out_width() * channels();
    for (const AxisTap& line : forward_.rows.taps(row % height)) {
      const float* pixels =
          input + (row / height * geometry_.height + line.source) * geometry_.width * channels();
      sum_line(flow, pixels, sums + line.kernel * geometry_.kernel_width * channels());
    }
  }

  // One row of the window, at all places of a row.
  void sum_line(const float* flow, const float* pixels, float* sums) const {
    const auto [first, last] = forward_.columns.whole();
    if (first < last) sum_places(flow, pixels, first, last - first, sums);
    for (int64_t column = 0; column < first; ++column) sum_places(flow, pixels, column, 1, sums);
    for (int64_t column = last; column < geometry_.out_width(); ++column)
      sum_places(flow, pixels, column, 1, sums);
  }

  // Neighbouring places that see the same part of the window.
  void sum_places(const float* flow, const float* pixels, int64_t column, int64_t places,
                  float* sums) const {
    const std::vector<AxisTap>& taps = forward_.columns.taps(column);
    if (taps.empty()) return;
    const WindowAxis axis = columns_of(geometry_);
    kernels_.gradient({flow + column * channels(), pixels + taps[0].source * channels(), places,
                       axis.stride * channels(), static_cast<int64_t>(taps.size()),
                       axis.dilation * channels(), sums + taps[0].kernel * channels()},
                      channels());
  }

  DepthwiseKernels kernels_;
  DepthwisePass forward_;
  DepthwisePass backward_;
  KeptWeight kept_;
  KeptWeight turned_;
};

}  // namespace

DepthwiseKernels depthwise_kernels() {
  return has_wide_vector_unit() ? depthwise_kernels_avx512() : depthwise_kernels_avx2();
}

bool is_depthwise(const ConvolutionGeometry& g) {
  return g.shape.groups > 1 && g.shape.groups == g.in && g.in == g.out;
}

ConvolutionMethodPointer depthwise_method(const ConvolutionGeometry& geometry) {
  if (!is_depthwise(geometry)) return {};
  return c10::make_intrusive<DepthwiseConvolution>(geometry);
}

}  // namespace hearth
