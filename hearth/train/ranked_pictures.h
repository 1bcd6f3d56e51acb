// The pictures of the samples that are ranked highest, kept as the batches come, so that as many
// are in memory as are shown.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "hearth/tensor/state.h"
#include "hearth/train/sample_pictures.h"
#include "hearth/train/sample_ranking.h"

namespace hearth {

// Rows that were just ranked: which sample each is, its number and its picture.
struct PictureRows {
  std::span<const int64_t> samples;
  const at::Tensor& numbers;
  const at::Tensor& pictures;
};

class RankedPictures {
 public:
  // Copies pictures of rows that are among the highest now, and drops those that no longer are.
  void keep(std::span<const RankedSample> ranked, const PictureRows& rows, const Spec& spec);
  void clear() { kept_.clear(); }
  // In the order of `ranked`, all of which were kept; smaller ones are filled up to the largest.
  [[nodiscard]] ShownValue shown(std::span<const RankedSample> ranked) const;

  // For a checkpoint; tensors are named by their samples.
  [[nodiscard]] Json state() const;
  void restore(const Json& state);
  [[nodiscard]] std::vector<NamedTensor> tensors() const;
  void restore_tensors(const State& state);

 private:
  struct Kept {
    double number = 0;
    at::Tensor picture;
  };
  std::map<int64_t, Kept> kept_;  // by sample
  Spec spec_;
};

}  // namespace hearth
