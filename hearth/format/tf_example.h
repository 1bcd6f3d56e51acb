// tf.Example: named features, each a list of bytes, floats or whole numbers.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace hearth {

struct TfFeature {
  enum class Kind : uint8_t { kNone, kBytes, kFloats, kIntegers };
  Kind kind = Kind::kNone;
  std::string_view list = {};  // the message of the list
  int64_t count = 0;
};

// DataError names `what`. Nothing is copied: views point into `message`.
void for_each_feature(std::string_view message, const std::string& what,
                      const std::function<void(std::string_view, const TfFeature&)>& visit);

// The only text of a list of bytes; DataError when there are none or several.
[[nodiscard]] std::string_view only_bytes(const TfFeature& feature, const std::string& what);
// Writes `feature.count` values.
void copy_floats(const TfFeature& feature, std::span<float> to, const std::string& what);
void copy_integers(const TfFeature& feature, std::span<int64_t> to, const std::string& what);

}  // namespace hearth
