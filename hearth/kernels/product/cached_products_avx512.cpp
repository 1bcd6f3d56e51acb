// Products of matrices that lie in the cache. For processors with AVX-512.
#include "hearth/kernels/lane_math_avx512.h"
#include "hearth/kernels/lanes_avx512.h"
#include "hearth/kernels/product/cached_products_lanes.h"

namespace hearth {
namespace {

// Twenty-four running sums of thirty-two registers.
struct Avx512Tiles {
  using Lanes = SixteenLanes;
  using Whole = WholeManyLanes;
  using First = FirstManyLanes;
  static constexpr int64_t kWidth = 16;
  static constexpr int kTileRows = 12;
};

}  // namespace

void multiply_cached_avx512(const CachedProduct& product) {
  multiply_cached_by<Avx512Tiles>(product);
}

void pack_right_side_avx512(const UnpackedRight& right, float* into) {
  pack_right_side_by<Avx512Tiles>(right, into);
}

}  // namespace hearth
