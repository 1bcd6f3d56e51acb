// Products of matrices in the cache beside LibTorch's, for either width of vectors.
#include "hearth/kernels/product/cached_products.h"

#include <ATen/ops/full.h>
#include <ATen/ops/matmul.h>

#include <limits>

#include "hearth/kernels/comparison_test.h"

namespace hearth {
namespace {

struct CachedUnit {
  void (*multiply)(const CachedProduct& product);
  void (*pack)(const UnpackedRight& right, float* into);
};

std::vector<CachedUnit> cached_units() {
  std::vector<CachedUnit> units;
  if (has_vector_unit()) units.push_back({multiply_cached_avx2, pack_right_side_avx2});
  if (has_wide_vector_unit()) units.push_back({multiply_cached_avx512, pack_right_side_avx512});
  return units;
}

// A matrix with some values between the ends of its rows, as it is or turned.
struct Stored {
  Stored(const at::Tensor& matrix, bool turned, int64_t gap)
      : is_turned(turned),
        all(at::full({matrix.size(is_turned ? 1 : 0), matrix.size(is_turned ? 0 : 1) + gap},
                     std::numeric_limits<float>::quiet_NaN())) {
    all.narrow(1, 0, all.size(1) - gap).copy_(is_turned ? matrix.t() : matrix);
  }
  [[nodiscard]] float* values() const { return all.data_ptr<float>(); }
  [[nodiscard]] int64_t stride() const { return all.size(1); }
  bool is_turned;
  at::Tensor all;
};

// The right side as it lies, or packed with more rows and columns than the product takes.
void expect_product(const CachedUnit& unit, ShapeDraw& draw) {
  const int64_t rows = draw(1, 40);
  const int64_t columns = draw(1, 80);
  const int64_t inner = draw(0, 9) == 0 ? draw(250, 600) : draw(1, 40);
  const int64_t more = draw(0, 9);
  const bool is_packed = draw.flip();
  const bool adds = draw.flip();
  const at::Tensor left = at::randn({rows, inner});
  const at::Tensor right = at::randn({inner + more, columns + more});
  const at::Tensor before = at::randn({rows, columns});
  const Stored own_left(left, draw.flip(), draw(0, 3));
  const Stored own_right(right, is_packed && draw.flip(), draw(0, 3));
  const Stored into(before, false, 2);
  const at::Tensor packed = at::full({packed_size(columns + more, inner + more)},
                                     std::numeric_limits<float>::quiet_NaN());
  CachedRight from{own_right.values(), own_right.stride()};
  if (is_packed) {
    from = {packed.data_ptr<float>(), 0, inner + more};
    unit.pack(
        {own_right.values(), own_right.stride(), own_right.is_turned, columns + more, inner + more},
        packed.data_ptr<float>());
  }
  unit.multiply({rows,
                 columns,
                 inner,
                 {own_left.values(), own_left.stride(), own_left.is_turned},
                 from,
                 into.values(),
                 into.stride(),
                 0.5F,
                 adds});
  const at::Tensor product = at::matmul(
      left.to(at::kDouble), right.slice(0, 0, inner).slice(1, 0, columns).to(at::kDouble));
  const at::Tensor truth = adds ? product.mul(0.5).add(before) : product.mul(0.5);
  EXPECT_LT(relative_difference(into.all.slice(1, 0, columns), truth), 1e-5)
      << rows << " x " << columns << " x " << inner << " packed " << is_packed;
  EXPECT_TRUE(into.all.slice(1, columns).isnan().all().item<bool>()) << "wrote beyond its columns";
}

TEST(CachedProducts, AreLikeLibTorchsOnRandomShapes) {
  at::manual_seed(61);
  ShapeDraw draw(61);
  for (const CachedUnit& unit : cached_units())
    for (int i = 0; i < 150; ++i) expect_product(unit, draw);
}

// Of places that see none later: `first` others are before them.
TEST(CachedProducts, OfATriangleAreThoseOfZerosBeyondIt) {
  at::manual_seed(63);
  for (const CachedUnit& unit : cached_units())
    for (const int64_t first : {0, 1, 32, 45}) {
      const int64_t rows = 29;
      const int64_t columns = first + rows;
      const at::Tensor lower = at::randn({rows, columns}).tril(first);
      const auto product = [&](int64_t out, const at::Tensor& left, bool is_turned,
                               const at::Tensor& right, Triangle triangle) {
        const at::Tensor into = at::full({out, right.size(1)}, 9.0F);
        unit.multiply({out,
                       right.size(1),
                       right.size(0),
                       {left.data_ptr<float>(), left.size(1), is_turned},
                       {right.data_ptr<float>(), right.size(1)},
                       into.data_ptr<float>(),
                       right.size(1),
                       1,
                       false,
                       triangle});
        return into;
      };
      const at::Tensor values = at::randn({columns, 20});
      const at::Tensor queries = at::randn({rows, 20});
      const at::Tensor keys = at::randn({20, columns});
      const auto expect_near = [&](const at::Tensor& found, const at::Tensor& truth) {
        EXPECT_LT(relative_difference(found, truth), 1e-5) << first;
      };
      expect_near(product(rows, lower, false, values, Triangle::kInner), at::matmul(lower, values));
      expect_near(product(columns, lower, true, queries, Triangle::kTurnedInner),
                  at::matmul(lower.t(), queries));
      expect_near(product(rows, queries, false, keys, Triangle::kColumns).tril(first),
                  at::matmul(queries, keys).tril(first));
    }
}

TEST(CachedProducts, GiveARowTheSameBitsWhateverIsBesideIt) {
  at::manual_seed(62);
  const at::Tensor left = at::randn({31, 37});
  const at::Tensor right = at::randn({37, 50});
  for (const CachedUnit& unit : cached_units()) {
    const auto product = [&](int64_t first, int64_t rows, int64_t column, int64_t columns) {
      at::Tensor into = at::full({rows, columns}, 0.0F);
      unit.multiply({rows,
                     columns,
                     37,
                     {left.data_ptr<float>() + first * 37, 37},
                     {right.data_ptr<float>() + column, 50},
                     into.data_ptr<float>(),
                     columns});
      return into;
    };
    const at::Tensor all = product(0, 31, 0, 50);
    EXPECT_TRUE(product(5, 7, 3, 11).equal(all.slice(0, 5, 12).slice(1, 3, 14)));
  }
}

}  // namespace
}  // namespace hearth
