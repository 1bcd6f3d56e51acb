// What is known of a key before any data is read: what it is, dtype, shape, classes.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
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
[[nodiscard]] bool is_floating(DType dtype);
[[nodiscard]] std::optional<DType> dtype_from(std::string_view name);

// What a key is. Ops, prediction and reports ask this, and never guess it from a shape.
enum class Role : uint8_t {
  kPlain,         // numbers
  kImage,         // [height, width, channels] in data, [channels, height, width] in the network
  kMask,          // a class number or a weight for each point of an image: [height, width]
  kBoxes,         // [boxes, 4]: left, top, right, bottom in points of an image
  kPoints,        // [points, 2]: x and y in points of an image
  kTokens,        // numbers of words or characters, of `classes` different ones
  kText,          // uint8 [?]: UTF-8
  kEncodedImage,  // uint8 [?]: an image as its file has it
  kSound,         // [samples]: a sound's samples, `rate` a second, from -1 to 1
  kClass,         // a class number, or a share for each of the classes; what is predicted
  kGradients      // stands for the gradients of models; a marker, without values of its own
};
[[nodiscard]] std::string_view name(Role role);  // "encoded_image"
[[nodiscard]] std::optional<Role> role_from(std::string_view name);

// In a shape: this length differs from sample to sample, or from batch to batch after a batch op.
inline constexpr int64_t kAnyLength = -1;

struct Spec {
  DType dtype = DType::kFloat32;
  std::vector<int64_t> shape = {};  // of one sample; the batch dimension is not in it
  bool is_per_batch = false;        // one value for the whole batch, such as a loss
  int64_t classes = 0;              // 0: not a class number or a score per class
  std::vector<std::string> class_names = {};
  Role role = Role::kPlain;
  // What black and white are in this key; only images have it.
  std::optional<std::pair<double, double>> image_range = {};
  // What lies behind the things in the training data's pictures, a value for each channel; empty
  // when they have no background of one colour.
  std::vector<double> background = {};
  // The columns of a table that the values come from, one for each; empty for what is no table's.
  std::vector<std::string> columns = {};
  int64_t rate = 0;  // samples a second; only sound has it

  [[nodiscard]] bool is_ragged() const;    // some length is kAnyLength
  [[nodiscard]] int64_t elements() const;  // of one sample; GraphError on overflow, or when ragged
  [[nodiscard]] int64_t bytes() const;
  [[nodiscard]] std::string text() const;  // "uint8 [B, ?, ?, 3]", "int64 [B], 10 classes"
  [[nodiscard]] bool operator==(const Spec&) const = default;
  [[nodiscard]] Json to_json() const;
  [[nodiscard]] static Spec from_json(const Json& json);
};

// The spec as the network sees it: images have their channels first.
[[nodiscard]] Spec in_network(Spec spec);
[[nodiscard]] bool is_image(const Spec& spec);  // in data: of role kImage, with three dimensions
// GraphError when a value has more elements than 64 bits can count.
[[nodiscard]] int64_t elements_of(std::span<const int64_t> shape);

// A key with its spec.
struct KeySpec {
  std::string key;
  Spec spec;
};
// As specs.json has them. DataError names `what` when the JSON is something else.
[[nodiscard]] Json to_json(const std::vector<KeySpec>& keys);
[[nodiscard]] std::vector<KeySpec> key_specs_from(const Json& json, const std::string& what);

}  // namespace hearth
