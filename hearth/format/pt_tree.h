// What a pickle of PyTorch's says about tensors: their names, shapes, and where in which storage
// they lie. Plain values come along by name.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "hearth/format/array_type.h"
#include "hearth/format/pickle.h"

namespace hearth {

struct PtStorage {
  std::string key;
  ArrayType type = ArrayType::kFloat32;
  uint64_t count = 0;  // of numbers
  [[nodiscard]] uint64_t bytes() const { return count * size_of(type); }
};

struct PtTensor {
  std::string name;  // "state.0.exp_avg" of dictionaries and lists within each other
  std::vector<int64_t> shape;
  std::vector<int64_t> strides;  // in numbers, as `offset`; all of it lies within the storage
  uint64_t offset = 0;
  size_t storage = 0;
  uint64_t count = 0;
  [[nodiscard]] bool is_dense() const;
};

struct PtTree {
  std::vector<PtTensor> tensors;
  std::vector<PtStorage> storages;
  std::vector<std::pair<std::string, nlohmann::json>> values;  // numbers, texts, truth, null
};

// The type of a storage by the name of its class, "torch.FloatStorage".
[[nodiscard]] std::optional<ArrayType> pt_storage_type(std::string_view name);

// The rules by which a pickle of PyTorch's is read: what rebuilds tensors is known, all else is
// refused.
[[nodiscard]] PickleRules pt_pickle_rules();
// DataError names `what` and the tensor for whatever does not fit together.
[[nodiscard]] PtTree read_pt_tree(const Pickle& pickle, const std::string& what);

}  // namespace hearth
