// What both sides of a DCGAN have in common.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "hearth/nn/description.h"

namespace hearth {

constexpr int64_t kDcganSmallestSide = 4;  // where convolutions of its whole size begin and end

// How often 4 is doubled to this side; nothing when it is no such multiple.
[[nodiscard]] std::optional<int64_t> dcgan_doublings(int64_t side);

// The stages of one side, one after another, with the first values of Radford et al.
class DcganStages {
 public:
  [[nodiscard]] bool is_empty() const { return layers_.empty(); }
  void add(const Choice<Layer>& convolution);
  void add_norm();
  void add_activation(const Choice<Layer>& activation);
  [[nodiscard]] Choice<Layer> layer() const;

 private:
  [[nodiscard]] std::string next() const;
  std::vector<Choice<Layer>> layers_;
  std::vector<std::pair<std::string, Choice<Initializer>>> first_;
};

}  // namespace hearth
