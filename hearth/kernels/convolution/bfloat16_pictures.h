// Pictures as pairs of bfloat16, in the two orders a convolution multiplies them in.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

namespace hearth {

// Channels-last float32 pictures.
struct Pictures {
  const float* values;
  int64_t batch, height, width, channels;
  [[nodiscard]] int64_t size() const { return height * width * channels; }
};

// For sums over channels, [height, width, tile, pair of channels, 16 pictures]: a tile of pictures
// is multiplied as it lies.
class TurnedPictures {
 public:
  explicit TurnedPictures(const Pictures& pictures);
  [[nodiscard]] int64_t tiles() const { return tiles_; }
  [[nodiscard]] int64_t pairs() const { return pairs_; }
  // Pictures of each tile but the last: as evenly many as there can be.
  [[nodiscard]] int64_t rows() const { return rows_; }
  [[nodiscard]] const uint32_t* at(int64_t y, int64_t x, int64_t tile) const {
    return values_ + ((y * width_ + x) * tiles_ + tile) * tile_size();
  }

 private:
  [[nodiscard]] int64_t tile_size() const;
  int64_t width_, tiles_, rows_, pairs_;
  at::Tensor memory_;
  uint32_t* values_;
};

// For sums over pictures, whose pairs are of neighbouring pictures: [height, width, pair, channel],
// or [height, pair, width, channel] with `padding` zeros on both sides of a row, so that places
// side by side are one run of values. The last of an odd number of pictures is paired with zeros.
class PairedPictures {
 public:
  PairedPictures(const Pictures& pictures, bool in_rows, int64_t padding);
  PairedPictures(const at::Tensor& memory, const Pictures& shape, bool in_rows, int64_t padding);
  [[nodiscard]] const at::Tensor& memory() const { return memory_; }
  [[nodiscard]] int64_t pairs() const { return pairs_; }
  [[nodiscard]] int64_t step() const { return step_; }  // from one pair to the next
  [[nodiscard]] uint32_t* at(int64_t y, int64_t x) const {
    return values_ + y * row_ + (x + padding_) * place_;
  }

 private:
  void fill(const Pictures& pictures);
  int64_t pairs_, padding_, row_, place_, step_;
  bool in_rows_;
  at::Tensor memory_;
  uint32_t* values_;
};

}  // namespace hearth
