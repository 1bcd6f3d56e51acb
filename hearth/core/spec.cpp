// Specs as sizes, as text and as JSON.
#include "hearth/core/spec.h"

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

int64_t spec_product(int64_t left, int64_t right, const Spec& spec) {
  int64_t product = 0;
  if (right < 0 || __builtin_mul_overflow(left, right, &product))
    throw InternalError("spec " + spec.text() + ": the size is negative or beyond 64 bits.");
  return product;
}

DType spec_dtype(const Json& json) {
  const auto text = json.at("dtype").get<std::string>();
  if (const auto dtype = dtype_from(text)) return *dtype;
  throw DataError("spec: unknown dtype " + quote(text) + ".");
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
  return spec;
}

}  // namespace

int64_t size_of(DType dtype) { return dtype_facts(dtype).bytes; }
std::string_view name(DType dtype) { return dtype_facts(dtype).name; }

std::optional<DType> dtype_from(std::string_view name) {
  for (const DTypeFacts& facts : kDTypes)
    if (facts.name == name) return facts.dtype;
  return std::nullopt;
}

int64_t Spec::elements() const {
  int64_t count = 1;
  for (const int64_t length : shape) count = spec_product(count, length, *this);
  return count;
}

int64_t Spec::bytes() const { return spec_product(elements(), size_of(dtype), *this); }

std::string Spec::text() const {
  std::vector<std::string> lengths;
  if (!is_per_batch) lengths.emplace_back("B");
  for (const int64_t length : shape) lengths.push_back(std::to_string(length));
  std::string text = std::string(name(dtype)) + " [" + join(lengths, ", ") + "]";
  if (classes == 1) return text + ", 1 class";
  if (classes > 1) text += ", " + std::to_string(classes) + " classes";
  return text;
}

Json Spec::to_json() const {
  Json json = {{"dtype", name(dtype)}, {"shape", shape}};
  if (is_per_batch) json["is_per_batch"] = true;
  if (classes != 0) json["classes"] = classes;
  if (!class_names.empty()) json["class_names"] = class_names;
  if (image_range) json["image_range"] = *image_range;
  return json;
}

Spec Spec::from_json(const Json& json) {
  try {
    return spec_fields(json);
  } catch (const Json::exception& error) {
    throw DataError(std::string("spec: not a spec in JSON: ") + error.what());
  }
}

}  // namespace hearth
