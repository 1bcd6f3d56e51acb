// What a rank's gradients left for later steps: error feedback.
#pragma once

#include <map>
#include <mutex>
#include <string>

#include "hearth/network/parcel.h"
#include "hearth/tensor/state.h"

namespace hearth {

// One row for each parameter, in the order of values that it has unpacked. Parts of different
// parcels may be asked for at once.
class Leftovers {
 public:
  // A part's values with what is left of earlier ones, in memory of their own.
  [[nodiscard]] at::Tensor with(const Parcel& parcel, const Parcel::Part& part) const;
  // What is left of them now. Values that are not finite are given up: they would never go away.
  void keep(const Parcel::Part& part, at::Tensor left);

  [[nodiscard]] State state() const;
  void restore(const State& state);

 private:
  mutable std::mutex mutex_;
  std::map<std::string, at::Tensor> left_;  // by the parameters' names
};

}  // namespace hearth
