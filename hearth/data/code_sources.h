// Data that a program has in its memory or computes, as sources. A config file cannot name them,
// unless the program that reads it has made them before: a run resumes in the same program.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "hearth/config/choice.h"
#include "hearth/core/spec.h"
#include "hearth/data/source.h"

namespace hearth::sources {

// A key with the values of all samples, one after the other.
struct CodeTensor {
  KeySpec key;
  std::vector<std::byte> bytes;
};

// `shape` is that of one sample; classes above 0 make the key a label.
template <class T>
[[nodiscard]] CodeTensor code_tensor(std::string key, std::vector<int64_t> shape,
                                     std::span<const T> values, int64_t classes = 0) {
  static_assert(std::is_same_v<T, float> || std::is_same_v<T, double> ||
                std::is_same_v<T, int32_t> || std::is_same_v<T, int64_t> ||
                std::is_same_v<T, uint8_t>);
  Spec spec{.shape = std::move(shape), .classes = classes};
  if constexpr (std::is_same_v<T, double>) spec.dtype = DType::kFloat64;
  if constexpr (std::is_same_v<T, int32_t>) spec.dtype = DType::kInt32;
  if constexpr (std::is_same_v<T, int64_t>) spec.dtype = DType::kInt64;
  if constexpr (std::is_same_v<T, uint8_t>) spec.dtype = DType::kUint8;
  if (classes > 0) spec.role = Role::kClass;
  const auto bytes = std::as_bytes(values);
  return {{std::move(key), std::move(spec)}, {bytes.begin(), bytes.end()}};
}

// A source of that name, for `data.train` and others; it replaces one that the program made before.
// ConfigError when a tensor has no whole number of samples, or another number than the first.
[[nodiscard]] Choice<Source> tensors(const std::string& name, std::vector<CodeTensor> tensors);

struct Generator {
  std::vector<KeySpec> keys;
  int64_t size = 0;
  // Writes sample `index`, as Source::read does: from many threads, and always the same.
  std::function<void(int64_t index, std::span<const Cell> cells)> sample;
  // What a resumed run compares; another text stands for other data.
  std::string fingerprint = "generator";
  uint64_t resident_bytes = 0;  // that samples are taken from
};

[[nodiscard]] Choice<Source> generator(const std::string& name, Generator generator);

}  // namespace hearth::sources
