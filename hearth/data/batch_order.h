// Which samples make up which batch: arithmetic and a keyed permutation, nothing stored.
#pragma once

#include <cstdint>
#include <optional>

#include "hearth/core/random.h"

namespace hearth {

// Batches of all epochs in one row: number = epoch * per_epoch + index.
struct BatchCount {
  int64_t samples = 0;
  int64_t batch_size = 1;
  bool drop_last = false;

  [[nodiscard]] int64_t per_epoch() const {
    return drop_last ? samples / batch_size : (samples + batch_size - 1) / batch_size;
  }
  [[nodiscard]] int64_t rows(int64_t index) const {
    const int64_t left = samples - index * batch_size;
    return left < batch_size ? left : batch_size;
  }
};

// The order of one epoch's samples.
class EpochOrder {
 public:
  EpochOrder(int64_t samples, bool shuffle, uint64_t seed, int64_t epoch) {
    if (shuffle)
      permutation_.emplace(static_cast<uint64_t>(samples), seed, static_cast<uint64_t>(epoch));
  }
  [[nodiscard]] int64_t at(int64_t position) const {
    if (!permutation_) return position;
    return static_cast<int64_t>(permutation_->at(static_cast<uint64_t>(position)));
  }

 private:
  std::optional<Permutation> permutation_;
};

}  // namespace hearth
