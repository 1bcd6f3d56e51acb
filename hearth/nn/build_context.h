// What a layer may need to know when it is built, besides its input.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include <c10/core/Device.h>

#include "hearth/kernels/kernels.h"

namespace hearth {

class LayerEdits;
class OptionScope;

struct BuildContext {
  uint64_t seed = 0;
  std::string path;     // "net.features.0": parameters draw their first values from (seed, path)
  int64_t classes = 0;  // of the data's targets; 0 when it has none, or several that differ
  Kernels kernels = Kernels::kFast;
  // Where parameters and buffers go once they have their first values.
  at::Device device = at::kCPU;
  // What is left for parameters, 0 once one was refused; null for no limit.
  uint64_t* room_bytes = nullptr;
  std::map<std::string, int64_t> targets = {};  // number of classes of each of the data's targets
  LayerEdits* edits = nullptr;                  // surgery on what is built; null for none
  const OptionScope* scope = nullptr;           // `defaults` that are in force; null for none
  // Which of the input shapes the model knows it is built for: from the second on, parameters and
  // children are there already, and only specs are found. So they are when a layer that is built is
  // called again elsewhere in the same model.
  size_t shape = 0;
  bool is_again = false;

  [[nodiscard]] bool is_first() const { return shape == 0 && !is_again; }
};

}  // namespace hearth
