// Stages of equal blocks, whose share of dropped samples grows with the depth.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "hearth/config/choice.h"
#include "hearth/nn/layers/composition/sequential.h"

namespace hearth {

class Stages {
 public:
  enum Growth : uint8_t {
    kReachesMost,  // the last block has the whole share
    kStaysBelow,   // the one that would come after it
  };
  Stages(std::vector<int64_t> depths, double drop_path, Growth growth)
      : depths_(std::move(depths)), drop_path_(drop_path) {
    for (const int64_t depth : depths_) steps_ += depth;
    if (growth == kReachesMost) --steps_;
  }

  // The block at a place of its stage, with its share.
  using Block = std::function<Choice<Layer>(int64_t place, double drop_path)>;
  // The next stage, from the first on.
  [[nodiscard]] Choice<Layer> next(const Block& block) {
    layers::SequentialOptions blocks;
    const int64_t depth = depths_.at(stage_++);
    for (int64_t place = 0; place < depth; ++place, ++done_)
      blocks.layers.push_back(block(place, share()));
    return layers::sequential(blocks);
  }

 private:
  [[nodiscard]] double share() const {
    return steps_ == 0 ? 0 : drop_path_ * static_cast<double>(done_) / static_cast<double>(steps_);
  }

  std::vector<int64_t> depths_;
  double drop_path_;
  int64_t steps_ = 0;
  size_t stage_ = 0;
  int64_t done_ = 0;
};

}  // namespace hearth
