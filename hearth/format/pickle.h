// Python's pickles as data: containers, numbers and texts, and calls as a record of what was to be
// called. Nothing is executed; a name that is not on the list is refused before anything is done
// with it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hearth {

// Values are numbers of a pickle's list; equal numbers are one object.
using PickleId = uint32_t;

struct PickleValue {
  enum class Kind : uint8_t {
    kNone,
    kBool,
    kInteger,     // of 64 bits
    kBigInteger,  // longer: `text` holds its bytes, the lowest first
    kReal,
    kText,
    kBytes,
    kList,
    kTuple,
    kSet,
    kDict,        // items are keys and values in turn
    kName,        // `text` is "module.name"
    kCall,        // `text` is what was called, items its arguments
    kPersistent,  // items is one: what stands for an object outside of the pickle
  };
  Kind kind = Kind::kNone;
  int64_t integer = 0;  // also 0 or 1 of kBool
  double real = 0;
  std::string text = {};
  std::vector<PickleId> items = {};
};

struct Pickle {
  std::vector<PickleValue> values;
  PickleId root = 0;
  uint64_t bytes = 0;  // how many it took

  [[nodiscard]] const PickleValue& at(PickleId id) const { return values.at(id); }
  [[nodiscard]] const PickleValue& top() const { return values.at(root); }
  // The value of a text key; null when the value is no dictionary or has no such key.
  [[nodiscard]] const PickleValue* find(const PickleValue& dictionary, std::string_view key) const;
};

struct PickleRules {
  // Whether "module.name" may stand in the pickle. `collections.OrderedDict` is always known, and
  // becomes a dictionary.
  std::function<bool(std::string_view name)> is_known;
  // The end of the message about another one: what to do.
  std::function<std::string(std::string_view name)> advice;
  uint64_t most_values = 1 << 21;
  uint64_t most_bytes = 256ULL << 20;
};

// The first pickle in `bytes`, which may go on behind it. DataError names `what` for whatever is
// damaged or refused. Memory is bounded by the bytes: a value each at most.
[[nodiscard]] Pickle read_pickle(std::span<const std::byte> bytes, const std::string& what,
                                 const PickleRules& rules);

}  // namespace hearth
