// Pictures as pairs of bfloat16, in the two orders a convolution multiplies them in.
#include "hearth/kernels/convolution/bfloat16_pictures.h"

#include <ATen/Parallel.h>
#include <ATen/ops/empty.h>

#include <algorithm>

#include "hearth/kernels/convolution/tap_products_avx512bf16.h"

namespace hearth {
namespace {

// Vectors may be read up to here behind the last value.
constexpr int64_t kBehind = 64;
constexpr int64_t kPlaceGrain = 16384;  // values worth a thread

at::Tensor pair_memory(int64_t count) { return at::empty({count + kBehind}, at::kInt); }

uint32_t* pairs_of(const at::Tensor& memory) {
  return reinterpret_cast<uint32_t*>(memory.data_ptr<int>());
}

int64_t grain_of(int64_t values) { return std::max<int64_t>(1, kPlaceGrain / values); }

}  // namespace

TurnedPictures::TurnedPictures(const Pictures& p)
    : width_(p.width),
      tiles_((p.batch + kTilePictures - 1) / kTilePictures),
      rows_((p.batch + tiles_ - 1) / tiles_),
      pairs_((p.channels + 1) / 2),
      memory_(pair_memory(p.height * p.width * tiles_ * tile_size())),
      values_(pairs_of(memory_)) {
  at::parallel_for(0, p.height * p.width, grain_of(p.batch * p.channels),
                   [&](int64_t from, int64_t to) {
                     for (int64_t place = from; place < to; ++place)
                       for (int64_t tile = 0; tile < tiles_; ++tile)
                         turn_channels(p.values + tile * rows_ * p.size() + place * p.channels,
                                       p.size(), std::min(rows_, p.batch - tile * rows_),
                                       p.channels, values_ + (place * tiles_ + tile) * tile_size());
                   });
}

int64_t TurnedPictures::tile_size() const { return pairs_ * kPictureLanes; }

PairedPictures::PairedPictures(const at::Tensor& memory, const Pictures& p, bool in_rows,
                               int64_t padding)
    : pairs_((p.batch + 1) / 2),
      padding_(in_rows ? padding : 0),
      row_((p.width + 2 * padding_) * pairs_ * p.channels),
      place_(in_rows ? p.channels : pairs_ * p.channels),
      step_(in_rows ? (p.width + 2 * padding_) * p.channels : p.channels),
      in_rows_(in_rows),
      memory_(memory.defined() ? memory : pair_memory(p.height * row_)),
      values_(pairs_of(memory_)) {}

PairedPictures::PairedPictures(const Pictures& pictures, bool in_rows, int64_t padding)
    : PairedPictures(at::Tensor(), pictures, in_rows, padding) {
  fill(pictures);
}

void PairedPictures::fill(const Pictures& p) {
  const int64_t run = in_rows_ ? p.width * p.channels : p.channels;
  const int64_t runs = in_rows_ ? 1 : p.width;
  const int64_t margin = padding_ * p.channels;
  const int64_t grain = grain_of(p.batch * p.width * p.channels);
  at::parallel_for(0, p.height, grain, [&](int64_t from, int64_t to) {
    for (int64_t y = from; y < to; ++y) {
      for (int64_t part = 0; part < runs; ++part) {
        const float* values = p.values + y * p.width * p.channels + part * run;
        for (int64_t pair = 0; pair < pairs_; ++pair) {
          const float* first = values + 2 * pair * p.size();
          uint32_t* into = at(y, part) + pair * step_;
          pair_values(first, 2 * pair + 1 < p.batch ? first + p.size() : nullptr, run, into);
          std::fill_n(into - margin, margin, 0U);
          std::fill_n(into + run, margin, 0U);
        }
      }
    }
  });
}

}  // namespace hearth
