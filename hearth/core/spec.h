// What is known of a key before any data is read: dtype, shape, classes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace hearth {

using Json = nlohmann::json;

enum class DType : uint8_t {
  kBool,
  kUint8,
  kInt32,
  kInt64,
  kFloat16,
  kBFloat16,
  kFloat32,
  kFloat64
};
[[nodiscard]] int64_t size_of(DType dtype);
[[nodiscard]] std::string_view name(DType dtype);  // "float32"
[[nodiscard]] std::optional<DType> dtype_from(std::string_view name);

struct Spec {
  DType dtype = DType::kFloat32;
  std::vector<int64_t> shape = {};  // of one sample; the batch dimension is not in it
  bool is_per_batch = false;        // one value for the whole batch, such as a loss
  int64_t classes = 0;              // 0: not a class number or a score per class
  std::vector<std::string> class_names = {};
  // What a raw picture's black and white become in this key; only keys that are images have it.
  std::optional<std::pair<double, double>> image_range = {};

  [[nodiscard]] int64_t elements() const;  // of one sample; InternalError on overflow
  [[nodiscard]] int64_t bytes() const;
  [[nodiscard]] std::string text() const;  // "float32 [B, 1, 8, 8], 10 classes"
  [[nodiscard]] bool operator==(const Spec&) const = default;
  [[nodiscard]] Json to_json() const;
  [[nodiscard]] static Spec from_json(const Json& json);
};

// A key with its spec.
struct KeySpec {
  std::string key;
  Spec spec;
};

}  // namespace hearth
