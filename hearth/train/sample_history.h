// What is known of every sample of a set: its last loss, whether it was taken for what it is, and
// how often that was forgotten. Batches are gathered on their device, which is waited for now and
// then.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "hearth/tensor/state.h"

namespace hearth {

class SampleHistory {
 public:
  // DataError for a set of more samples than can be followed.
  explicit SampleHistory(int64_t samples);

  // A loss for each row; `is_right` is undefined where nobody knows.
  void add(std::span<const int64_t> samples, const at::Tensor& losses, const at::Tensor& is_right);

  [[nodiscard]] int64_t size() const { return static_cast<int64_t>(losses_.size()); }
  // Not a number for a sample that was not seen yet.
  [[nodiscard]] const std::vector<float>& losses();
  [[nodiscard]] double loss(int64_t sample) const { return losses_[static_cast<size_t>(sample)]; }
  [[nodiscard]] int64_t times_forgotten(int64_t sample) const {
    return forgotten_[static_cast<size_t>(sample)];
  }
  // Those with the highest losses, the highest first; those without a finite one before them.
  [[nodiscard]] std::vector<int64_t> hardest(int64_t count);
  // Those that were right and no longer are, or were so before, the most often first.
  [[nodiscard]] std::vector<int64_t> forgotten(int64_t count);
  // How many were seen, their mean loss, how many were wrong last, and forgotten at some time.
  [[nodiscard]] std::vector<std::pair<std::string, double>> summary();

  [[nodiscard]] std::vector<NamedTensor> tensors() const;
  void restore(const State& state);

 private:
  struct Batch {
    std::vector<int64_t> samples;
    at::Tensor losses;
    at::Tensor is_right;
  };
  // Takes in what was gathered.
  void settle() const;
  void take(const Batch& batch) const;
  [[nodiscard]] bool was_seen(int64_t sample) const;

  // What is known follows from what was gathered, whenever it is taken in.
  mutable std::vector<float> losses_;
  mutable std::vector<uint8_t> answers_;    // the last: 0 none, 1 wrong, 2 right
  mutable std::vector<uint8_t> forgotten_;  // times, at most 255
  mutable std::vector<Batch> batches_;
};

}  // namespace hearth
