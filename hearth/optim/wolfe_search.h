// How far to go along a direction: until the loss has fallen enough and the slope is flat enough
// (the strong Wolfe conditions).
#pragma once

#include <cstdint>
#include <functional>

#include <ATen/core/Tensor.h>

namespace hearth {

// What is known of a place along the direction.
struct PlaceAlong {
  double length = 0;
  double loss = 0;
  double slope = 0;  // of the loss, along the direction
  at::Tensor gradient;
};

struct WolfeSearch {
  std::function<PlaceAlong(double length)> look;
  double greatest_change = 0;  // the direction's greatest value, by which places are told apart
  double tolerance = 1e-9;
  int64_t most_looks = 25;

  struct Result {
    PlaceAlong place;
    int64_t looks = 0;
  };
  // From `start`, at length 0, with a first guess of the length.
  [[nodiscard]] Result from(const PlaceAlong& start, double length) const;
};

}  // namespace hearth
