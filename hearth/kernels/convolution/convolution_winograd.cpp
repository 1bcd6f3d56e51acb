// A 3x3 convolution by Winograd's algorithm: a quarter of the products for some more additions.
#include <ATen/Parallel.h>
#include <ATen/ops/empty.h>

#include <algorithm>

#include "hearth/kernels/convolution/convolution_method.h"
#include "hearth/kernels/convolution/piece_products_avx2.h"
#include "hearth/kernels/convolution/winograd_avx2.h"
#include "hearth/kernels/onednn.h"

namespace hearth {
namespace {

// Images are taken through all three stages in parts whose points stay in the last-level cache.
constexpr int64_t kPointBytes = 12 * 1024 * 1024;
constexpr int64_t kProductRows = 512;  // tiles that one thread multiplies at a time

at::Tensor point_memory(int64_t size) { return at::empty({size}, at::kFloat); }

// Tiles over the output of one convolution, forward or backward.
struct TileGrid {
  int64_t height;  // of the output
  int64_t width;

  [[nodiscard]] int64_t across() const { return (width + kTileSide - 1) / kTileSide; }
  [[nodiscard]] int64_t count() const { return (height + kTileSide - 1) / kTileSide * across(); }
};

// From an image with `in` channels to one with `out`, by the points of a weight.
struct WinogradPass {
  const float* input;
  int64_t in_height;
  int64_t in_width;
  int64_t in;
  int64_t padding;
  TileGrid grid;
  int64_t out;
  float* output;
  const float* bias;
  bool relu;
};

class WinogradConvolution : public ConvolutionMethod {
 public:
  explicit WinogradConvolution(const ConvolutionGeometry& geometry)
      : ConvolutionMethod(geometry, winograd_order(geometry)) {}

  void forward(const float* input, const at::Tensor& weight, const float* bias,
               float* output) override {
    const ConvolutionGeometry& g = geometry_;
    const float* points =
        kept_.get(weight, weight.numel() / 9 * kTilePoints,
                  [&](const float*, float* to) { weight_to_points(weight, false, to); });
    run({input,
         g.height,
         g.width,
         g.in,
         g.shape.padding[0],
         {g.out_height(), g.out_width()},
         g.out,
         output,
         bias,
         g.has_relu},
        {points, g.in, true});
  }

  // The same with turned weights, and the padding that brings the input's size back.
  void input_gradient(const float* gradient, const at::Tensor& weight,
                      float* input_gradient) override {
    const ConvolutionGeometry& g = geometry_;
    const at::Tensor points = point_memory(weight.numel() / 9 * kTilePoints);
    weight_to_points(weight, true, points.data_ptr<float>());
    run({gradient,
         g.out_height(),
         g.out_width(),
         g.out,
         2 - g.shape.padding[0],
         {g.height, g.width},
         g.in,
         input_gradient,
         nullptr,
         false},
        {points.data_ptr<float>(), g.in, false});
  }

  void weight_gradient(const float* gradient, const float* input, const at::Tensor& weight_gradient,
                       float* bias_gradient) override {
    const ConvolutionGeometry& g = geometry_;
    const TileGrid grid = {g.out_height(), g.out_width()};
    const int64_t part = images_at_a_time(grid, g.in + g.out);
    const at::Tensor input_points = point_memory(kTilePoints * part * grid.count() * g.in);
    const at::Tensor flow_points = point_memory(kTilePoints * part * grid.count() * g.out);
    const at::Tensor products = point_memory(kTilePoints * g.out * g.in);
    for (int64_t first = 0; first < g.batch; first += part) {
      const int64_t tiles = std::min(part, g.batch - first) * grid.count();
      to_points(gradient, input, first, grid, tiles, flow_points.data_ptr<float>(),
                input_points.data_ptr<float>());
      add_products(flow_points.data_ptr<float>(), input_points.data_ptr<float>(), tiles, first > 0,
                   products.data_ptr<float>());
    }
    weight_from_points(products.data_ptr<float>(), weight_gradient);
    if (bias_gradient != nullptr) sum_bias_gradient(gradient, bias_gradient);
  }

 private:
  [[nodiscard]] int64_t images_at_a_time(const TileGrid& grid, int64_t channels) const {
    const int64_t bytes =
        grid.count() * kTilePoints * channels * static_cast<int64_t>(sizeof(float));
    return std::clamp<int64_t>(kPointBytes / bytes, 1, geometry_.batch);
  }

  // Where the weights of output channel `o` lie.
  [[nodiscard]] TapPlace taps_of(const at::Tensor& weight, int64_t o) const {
    const ConvolutionGeometry& g = geometry_;
    float* values = weight.data_ptr<float>();
    if (is_in_order(weight)) return {values + o * g.in, g.in, 1, g.out * g.in};
    return {values + o * g.in * 9, g.in, 9, 1};
  }

  // [point][output channel][input channel]
  void weight_to_points(const at::Tensor& weight, bool rotated, float* points) const {
    const ConvolutionGeometry& g = geometry_;
    at::parallel_for(0, g.out, 8, [&](int64_t from, int64_t to) {
      for (int64_t o = from; o < to; ++o)
        weight_points_avx2(taps_of(weight, o), rotated, points + o * g.in, g.out * g.in);
    });
  }

  void weight_from_points(const float* points, const at::Tensor& weight) const {
    const ConvolutionGeometry& g = geometry_;
    at::parallel_for(0, g.out, 8, [&](int64_t from, int64_t to) {
      for (int64_t o = from; o < to; ++o)
        weight_from_points_avx2(points + o * g.in, g.out * g.in, taps_of(weight, o));
    });
  }

  // `weight` is the first point's matrix; the others follow it.
  void run(const WinogradPass& pass, const Matrix& weight) const {
    const int64_t part = images_at_a_time(pass.grid, pass.in + pass.out);
    const int64_t most = part * pass.grid.count();
    const at::Tensor points = point_memory(kTilePoints * most * pass.in);
    const at::Tensor products = point_memory(kTilePoints * most * pass.out);
    for (int64_t first = 0; first < geometry_.batch; first += part) {
      const int64_t tiles = std::min(part, geometry_.batch - first) * pass.grid.count();
      input_to_points(pass, first, tiles, points.data_ptr<float>());
      multiply_points(pass, weight, tiles, points.data_ptr<float>(), products.data_ptr<float>());
      points_to_output(pass, first, tiles, products.data_ptr<float>());
    }
  }

  // Calls `visit(tile, image, top, left)` for tiles of the images that start at `first`.
  template <class Visit>
  void for_tiles(const TileGrid& grid, int64_t first, int64_t tiles, const Visit& visit) const {
    at::parallel_for(0, tiles, 4, [&](int64_t from, int64_t to) {
      for (int64_t tile = from; tile < to; ++tile) {
        const int64_t place = tile % grid.count();
        visit(tile, first + tile / grid.count(), place / grid.across() * kTileSide,
              place % grid.across() * kTileSide);
      }
    });
  }

  void input_to_points(const WinogradPass& p, int64_t first, int64_t tiles, float* points) const {
    for_tiles(p.grid, first, tiles, [&](int64_t tile, int64_t image, int64_t top, int64_t left) {
      input_points_avx2(p.input + image * p.in_height * p.in_width * p.in,
                        {p.in_height, p.in_width, p.in, top - p.padding, left - p.padding},
                        points + tile * p.in, tiles * p.in);
    });
  }

  void multiply_points(const WinogradPass& p, const Matrix& weight, int64_t tiles,
                       const float* points, float* products) const {
    const int64_t blocks = (tiles + kProductRows - 1) / kProductRows;
    at::parallel_for(0, kTilePoints * blocks, 1, [&](int64_t from, int64_t to) {
      for (int64_t item = from; item < to; ++item) {
        const int64_t point = item / blocks;
        const int64_t row = item % blocks * kProductRows;
        // In pieces: what a long sum loses, the last transform would multiply.
        multiply_in_pieces_avx2({std::min(kProductRows, tiles - row), p.out, p.in,
                                 points + (point * tiles + row) * p.in,
                                 weight.values + point * p.in * p.out, weight.stride,
                                 weight.is_transposed, products + (point * tiles + row) * p.out});
      }
    });
  }

  void points_to_output(const WinogradPass& p, int64_t first, int64_t tiles,
                        const float* products) const {
    for_tiles(p.grid, first, tiles, [&](int64_t tile, int64_t image, int64_t top, int64_t left) {
      tile_from_points_avx2(products + tile * p.out, tiles * p.out, p.bias, p.relu,
                            {p.grid.height, p.grid.width, p.out, top, left},
                            p.output + image * p.grid.height * p.grid.width * p.out);
    });
  }

  void to_points(const float* gradient, const float* input, int64_t first, const TileGrid& grid,
                 int64_t tiles, float* flow_points, float* input_points) const {
    const ConvolutionGeometry& g = geometry_;
    const int64_t padding = g.shape.padding[0];
    for_tiles(grid, first, tiles, [&](int64_t tile, int64_t image, int64_t top, int64_t left) {
      gradient_points_avx2(gradient + image * grid.height * grid.width * g.out,
                           {grid.height, grid.width, g.out, top, left}, flow_points + tile * g.out,
                           tiles * g.out);
      input_points_avx2(input + image * g.height * g.width * g.in,
                        {g.height, g.width, g.in, top - padding, left - padding},
                        input_points + tile * g.in, tiles * g.in);
    });
  }

  void add_products(const float* flow_points, const float* input_points, int64_t tiles, bool adds,
                    float* products) const {
    const ConvolutionGeometry& g = geometry_;
    at::parallel_for(0, kTilePoints, 1, [&](int64_t from, int64_t to) {
      for (int64_t point = from; point < to; ++point)
        multiply(g.out, g.in, tiles, {flow_points + point * tiles * g.out, g.out, true},
                 {input_points + point * tiles * g.in, g.in}, products + point * g.out * g.in, g.in,
                 1, adds ? 1 : 0);
    });
  }

  KeptWeight kept_;
};

}  // namespace

// A matrix [O, I] for each place of the window, so that eight channels are taken at a time.
std::optional<WeightOrder> winograd_order(const ConvolutionGeometry& g) {
  const bool fits = g.kernel_height == 3 && g.kernel_width == 3 && g.shape.stride == 1 &&
                    g.shape.dilation == 1 && g.shape.groups == 1 && g.shape.padding.are_equal() &&
                    g.shape.padding[0] <= 2 && g.in % 8 == 0 && g.out % 8 == 0;
  if (!fits) return std::nullopt;
  const int64_t matrix = g.out * g.in;
  return WeightOrder{{g.out, 1, g.in, 1, 3, 3}, {g.in, 1, 1, 1, 3 * matrix, matrix}};
}

ConvolutionMethodPointer winograd_method(const ConvolutionGeometry& geometry) {
  if (!winograd_order(geometry)) return {};
  return c10::make_intrusive<WinogradConvolution>(geometry);
}

}  // namespace hearth
