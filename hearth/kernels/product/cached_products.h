// Products of matrices that lie in the cache: nothing is packed but a right side, once for all
// products by it.
#pragma once

#include <cstdint>

namespace hearth {

// left[r, k] lies at values[r * stride + k], or turned at values[k * stride + r].
struct CachedLeft {
  const float* values;
  int64_t stride;
  bool is_turned = false;
};

// right[k, c] lies at values[k * stride + c], or where `pack_right_side` wrote it, which may have
// packed more rows and columns than the product takes.
struct CachedRight {
  const float* values;
  int64_t stride;
  int64_t packed_inner = 0;  // what it packed; 0: it did not
};

// What of a product is a triangle, whose last row is a whole one and which has one value less in
// each row before: tiles beyond it are left out.
enum class Triangle : uint8_t {
  kNone,
  kColumns,     // what comes out: the rest is not written, or is anything
  kInner,       // the left side
  kTurnedInner  // the left side as it lies turned: its last values of `inner` rows are the triangle
};

// into[r, c] = scale * the sum of left[r, k] * right[k, c] over `inner` values k, or adds to what
// is there. A sum's bits depend on its row and its column alone, not on their neighbours.
struct CachedProduct {
  int64_t rows;
  int64_t columns;
  int64_t inner;
  CachedLeft left;
  CachedRight right;
  float* into;
  int64_t stride;
  float scale = 1;
  bool adds = false;
  Triangle triangle = Triangle::kNone;
};

// A right side to be packed: right[k, c] lies at values[k * stride + c], or turned at
// values[c * stride + k].
struct UnpackedRight {
  const float* values;
  int64_t stride;
  bool is_turned;
  int64_t columns;
  int64_t inner;
};

// By the widest vectors there are. Only where `has_vector_unit()`.
void multiply_cached(const CachedProduct& product);
// Writes into `packed_size` values.
void pack_right_side(const UnpackedRight& right, float* into);
[[nodiscard]] int64_t packed_size(int64_t columns, int64_t inner);

// What they choose from.
void multiply_cached_avx2(const CachedProduct& product);
void multiply_cached_avx512(const CachedProduct& product);
void pack_right_side_avx2(const UnpackedRight& right, float* into);
void pack_right_side_avx512(const UnpackedRight& right, float* into);

}  // namespace hearth
