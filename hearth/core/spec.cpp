// Specs as sizes, as text and as JSON.
#include "hearth/core/spec.h"

#include <algorithm>
#include <array>

#include <nlohmann/json.hpp>

#include "hearth/base/error.h"
#include "hearth/base/text.h"

namespace hearth {

namespace {

struct DTypeFacts {
  DType dtype;
  std::string_view name;
  int64_t bytes;
};

constexpr std::array<DTypeFacts, 8> kDTypes = {{{DType::kBool, "bool", 1},
                                                {DType::kUint8, "uint8", 1},
                                                {DType::kInt32, "int32", 4},
                                                {DType::kInt64, "int64", 8},
                                                {DType::kFloat16, "float16", 2},
                                                {DType::kBFloat16, "bfloat16", 2},
                                                {DType::kFloat32, "float32", 4},
                                                {DType::kFloat64, "float64", 8}}};

const DTypeFacts& dtype_facts(DType dtype) { return kDTypes.at(static_cast<size_t>(dtype)); }

constexpr std::array<std::pair<Role, std::string_view>, 11> kRoles = {
    {{Role::kPlain, "plain"},
     {Role::kImage, "image"},
     {Role::kMask, "mask"},
     {Role::kBoxes, "boxes"},
     {Role::kPoints, "points"},
     {Role::kTokens, "tokens"},
     {Role::kText, "text"},
     {Role::kEncodedImage, "encoded_image"},
     {Role::kSound, "sound"},
     {Role::kClass, "class"},
     {Role::kGradients, "gradients"}}};

std::string shape_text(std::span<const int64_t> shape, bool is_per_batch) {
  std::vector<std::string> lengths;
  if (!is_per_batch) lengths.emplace_back("B");
  for (const int64_t length : shape)
    lengths.push_back(length == kAnyLength ? "?" : std::to_string(length));
  return "[" + join(lengths, ", ") + "]";
}

[[noreturn]] void throw_uncountable(const std::string& what) {
  throw GraphError(what + " has more values than 64 bits can count. Use smaller sizes.");
}

DType spec_dtype(const Json& json) {
  const auto text = json.at("dtype").get<std::string>();
  if (const auto dtype = dtype_from(text)) return *dtype;
  throw DataError("spec: unknown dtype " + quote(text) + ".");
}

Role spec_role(const Json& json) {
  const auto text = json.at("role").get<std::string>();
  if (const auto role = role_from(text)) return *role;
  throw DataError("spec: unknown role " + quote(text) + ".");
}

// Files written before keys had a role: images had a range, and their channels first.
void give_role(Spec& spec) {
  if (spec.image_range && spec.shape.size() == 3) {
    spec.role = Role::kImage;
    std::rotate(spec.shape.begin(), spec.shape.begin() + 1, spec.shape.end());
  } else if (spec.classes > 0) {
    spec.role = Role::kClass;
  }
}

Spec spec_fields(const Json& json) {
  Spec spec;
  spec.dtype = spec_dtype(json);
  spec.shape = json.at("shape").get<std::vector<int64_t>>();
  spec.is_per_batch = json.value("is_per_batch", false);
  spec.classes = json.value("classes", int64_t{0});
  spec.class_names = json.value("class_names", std::vector<std::string>{});
  if (json.contains("image_range"))
    spec.image_range = json.at("image_range").get<std::pair<double, double>>();
  spec.background = json.value("background", std::vector<double>{});
  spec.columns = json.value("columns", std::vector<std::string>{});
  spec.rate = json.value("rate", int64_t{0});
  if (json.contains("role"))
    spec.role = spec_role(json);
  else
    give_role(spec);
  return spec;
}

}  // namespace

int64_t size_of(DType dtype) { return dtype_facts(dtype).bytes; }
std::string_view name(DType dtype) { return dtype_facts(dtype).name; }

bool is_floating(DType dtype) {
  return dtype == DType::kFloat16 || dtype == DType::kBFloat16 || dtype == DType::kFloat32 ||
         dtype == DType::kFloat64;
}

std::optional<DType> dtype_from(std::string_view name) {
  for (const DTypeFacts& facts : kDTypes)
    if (facts.name == name) return facts.dtype;
  return std::nullopt;
}

std::string_view name(Role role) { return kRoles.at(static_cast<size_t>(role)).second; }

std::optional<Role> role_from(std::string_view name) {
  for (const auto& [role, known] : kRoles)
    if (known == name) return role;
  return std::nullopt;
}

int64_t elements_of(std::span<const int64_t> shape) {
  int64_t count = 1;
  for (const int64_t length : shape)
    if (length < 0 || __builtin_mul_overflow(count, length, &count))
      throw_uncountable(shape_text(shape, true));
  return count;
}

bool Spec::is_ragged() const {
  return std::find(shape.begin(), shape.end(), kAnyLength) != shape.end();
}

int64_t Spec::elements() const {
  int64_t count = 1;
  if (is_ragged())
    throw GraphError(text() + " has no size of its own: the lengths written as ? differ.");
  for (const int64_t length : shape)
    if (length < 0 || __builtin_mul_overflow(count, length, &count)) throw_uncountable(text());
  return count;
}

int64_t Spec::bytes() const {
  int64_t count = 0;
  if (__builtin_mul_overflow(elements(), size_of(dtype), &count)) throw_uncountable(text());
  return count;
}

std::string Spec::text() const {
  std::string text = std::string(name(dtype)) + " " + shape_text(shape, is_per_batch);
  if (classes == 1) return text + ", 1 class";
  if (classes > 1) text += ", " + std::to_string(classes) + " classes";
  return text;
}

bool is_image(const Spec& spec) { return spec.role == Role::kImage && spec.shape.size() == 3; }

Spec in_network(Spec spec) {
  if (is_image(spec)) std::rotate(spec.shape.begin(), spec.shape.begin() + 2, spec.shape.end());
  return spec;
}

Json Spec::to_json() const {
  Json json = {{"dtype", name(dtype)}, {"shape", shape}};
  if (is_per_batch) json["is_per_batch"] = true;
  if (classes != 0) json["classes"] = classes;
  if (!class_names.empty()) json["class_names"] = class_names;
  // Without a role, files from before there were any are guessed at.
  if (role != Role::kPlain || classes != 0 || image_range) json["role"] = name(role);
  if (image_range) json["image_range"] = *image_range;
  if (!background.empty()) json["background"] = background;
  if (!columns.empty()) json["columns"] = columns;
  if (rate != 0) json["rate"] = rate;
  return json;
}

Spec Spec::from_json(const Json& json) {
  try {
    return spec_fields(json);
  } catch (const Json::exception& error) {
    throw DataError(std::string("spec: not a spec in JSON: ") + error.what());
  }
}

Json to_json(const std::vector<KeySpec>& keys) {
  Json json = Json::array();
  for (const KeySpec& key : keys) json.push_back({{"key", key.key}, {"spec", key.spec.to_json()}});
  return json;
}

std::vector<KeySpec> key_specs_from(const Json& json, const std::string& what) {
  try {
    std::vector<KeySpec> keys;
    for (const Json& entry : json)
      keys.push_back({entry.at("key").get<std::string>(), Spec::from_json(entry.at("spec"))});
    return keys;
  } catch (const nlohmann::json::exception& error) {
    throw DataError(what + ": not a list of specs: " + error.what());
  }
}

}  // namespace hearth
