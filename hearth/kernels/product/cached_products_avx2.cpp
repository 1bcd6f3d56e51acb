// Products of matrices that lie in the cache. For processors with AVX2.
#include "hearth/kernels/lane_math_avx2.h"
#include "hearth/kernels/product/cached_products_lanes.h"

namespace hearth {
namespace {

// Twelve running sums leave room for the values they are made of in sixteen registers.
struct Avx2Tiles {
  using Lanes = EightLanes;
  using Whole = WholeLanes;
  using First = FirstLanes;
  static constexpr int64_t kWidth = 8;
  static constexpr int kTileRows = 6;
};

}  // namespace

void multiply_cached_avx2(const CachedProduct& product) { multiply_cached_by<Avx2Tiles>(product); }

void pack_right_side_avx2(const UnpackedRight& right, float* into) {
  pack_right_side_by<Avx2Tiles>(right, into);
}

}  // namespace hearth
