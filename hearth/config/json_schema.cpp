// JSON Schema of the whole config, for editors that complete and check YAML.
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "hearth/base/text.h"
#include "hearth/config/chosen.h"
#include "hearth/config/file_name.h"
#include "hearth/config/forms.h"
#include "hearth/config/mode.h"
#include "hearth/config/reference.h"
#include "hearth/config/scoped_options.h"

namespace hearth {
namespace {

using Json = nlohmann::json;

Json schema_of_type(const Type& type);

Json reference_to(const std::string& name) { return {{"$ref", "#/$defs/" + name}}; }

// As times are written.
constexpr const char* kTimePattern =
    "^(0|([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][+-]?[0-9]+)?(ep|st|sm|min|%))$";

// As sizes are written.
constexpr const char* kBytesPattern = "^[0-9]*\\.?[0-9]* ?(B|kB|KB|KiB|MB|MiB|GB|GiB|TB|TiB)$";

Json any_of(std::initializer_list<Json> forms) { return {{"anyOf", Json(forms)}}; }

// The text as an editor's YAML reader would see it: 1, true or a string.
Json schema_scalar(const std::string& text) {
  if (text == "true" || text == "false") return text == "true";
  if (const auto whole = read_integer(text)) return *whole;
  const std::optional<double> number = read_number(text);
  return number && std::isfinite(*number) ? Json(*number) : Json(text);
}

Json schema_default(const Node& node) {
  if (node.is_null()) return nullptr;
  if (node.is_scalar()) return node.is_quoted() ? Json(node.text()) : schema_scalar(node.text());
  Json json = node.is_list() ? Json::array() : Json::object();
  for (const Node& item : node.items()) json.push_back(schema_default(item));
  for (const Node::Entry& entry : node.entries()) json[entry.key] = schema_default(entry.value);
  return json;
}

Json schema_of_number(const Type& type) {
  Json json = {{"type", type.kind == TypeKind::kInteger ? "integer" : "number"}};
  if (type.kind == TypeKind::kInteger) {
    json["minimum"] = std::numeric_limits<int64_t>::min();
    json["maximum"] = std::numeric_limits<int64_t>::max();
  }
  if (type.minimum) json[type.excludes_minimum ? "exclusiveMinimum" : "minimum"] = *type.minimum;
  if (type.maximum) json[type.excludes_maximum ? "exclusiveMaximum" : "maximum"] = *type.maximum;
  return json;
}

Json with_names(Json json, NameRule rule) {
  if (rule == NameRule::kAny) return json;
  json["pattern"] = name_pattern(rule);
  json["maxLength"] = kLongestFileName;
  return json;
}

Json schema_of_text(const Type& type) {
  Json json = {{"type", {"string", "number", "boolean"}}};
  if (type.must_not_be_empty) json["minLength"] = 1;
  return with_names(std::move(json), type.names);
}

Json schema_of_path(const Type& type) {
  Json json = schema_of_text(type);
  json["format"] = "path";
  return json;
}

// A value such as 16 reaches the editor as a number, although the option is a text.
Json schema_of_enum(const Type& type) {
  Json values = type.values;
  for (const std::string& text : type.values)
    if (const Json value = schema_scalar(text); !value.is_string()) values.push_back(value);
  return {{"enum", values}};
}

Json schema_of_list(const Type& type) {
  const Json element = schema_of_type(*type.element);
  Json list = {{"type", "array"}, {"items", element}};
  if (type.must_not_be_empty || type.may_stand_alone) {
    list["minItems"] = 1;
    return any_of({list, element});
  }
  return any_of({list, element, {{"type", "null"}}});
}

Json schema_of_map(const Type& type) {
  if (is_scoped_options(type))
    return {{"type", {"object", "null"}}, {"additionalProperties", {{"type", "object"}}}};
  Json json = {{"type", {"object", "null"}},
               {"additionalProperties", schema_of_type(*type.element)}};
  if (type.names != NameRule::kAny) json["propertyNames"] = with_names(Json::object(), type.names);
  if (type.may_stand_alone) {
    json["type"] = "object";
    json["minProperties"] = 1;
    return any_of({schema_of_type(*type.element), json});
  }
  if (!type.must_not_be_empty) return json;
  json["type"] = "object";
  json["minProperties"] = 1;
  return json;
}

Json schema_of_field(const Field& field) {
  const bool may_be_null =
      field.default_value.is_null() && !field.is_required && !field.type.is_optional;
  const Type& value = field.type.element ? *field.type.element : field.type;
  const bool is_path = value.kind == TypeKind::kPath;
  Json json = schema_of_type(field.type);
  if (may_be_null) json = any_of({json, {{"type", "null"}}});
  json["description"] = field.help + (is_path ? " A path, relative to this file." : "");
  if (!field.is_required) json["default"] = schema_default(field.default_value);
  return json;
}

bool has_required(const SchemaInfo& schema) {
  for (const Field& field : schema.fields)
    if (field.is_required) return true;
  return false;
}

Json schema_of_options(const SchemaInfo& schema) {
  Json json = {{"type", {"object", "null"}},
               {"properties", Json::object()},
               {"additionalProperties", false}};
  Json required = Json::array();
  for (const Field& field : schema.fields) {
    if (field.is_by_time)
      json["patternProperties"][kTimePattern] = schema_of_type(field.type);
    else
      json["properties"][field.name] = schema_of_field(field);
    if (field.is_required) required.push_back(field.name);
  }
  if (!required.empty()) {
    json["type"] = "object";
    json["required"] = required;
  }
  return json;
}

Json schema_of_plain(const Type& type) {
  switch (type.kind) {
    case TypeKind::kBoolean:
      return {{"type", "boolean"}};
    case TypeKind::kInteger:
    case TypeKind::kNumber:
      return schema_of_number(type);
    case TypeKind::kText:
      return schema_of_text(type);
    case TypeKind::kPath:
      return schema_of_path(type);
    case TypeKind::kTime:
      return reference_to("time");
    case TypeKind::kBytes:
      return {{"type", "string"}, {"pattern", kBytesPattern}};
    case TypeKind::kModes:
      return reference_to("modes");
    case TypeKind::kEnum:
      return schema_of_enum(type);
    case TypeKind::kList:
      return schema_of_list(type);
    case TypeKind::kMap:
      return schema_of_map(type);
    case TypeKind::kOptions:
      return schema_of_options(*type.options);
    case TypeKind::kChoice:
      return reference_to(type.component_kind);
  }
  return Json::object();
}

Json schema_of_type(const Type& type) {
  Json json = schema_of_plain(type);
  if (type.kind != TypeKind::kEnum && !type.values.empty())
    json = any_of({json, schema_of_enum(type)});
  if (type.is_scheduled) json = any_of({json, reference_to("schedule")});
  if (type.is_optional) json = any_of({json, {{"type", "null"}}});
  return json;
}

// `name` where nothing is required, or `{name: options}`.
Json schema_of_kind(const KindInfo& kind) {
  Json names = Json::array();
  Json forms = Json::array();
  for (const ComponentInfo& component : kind.components) {
    const SchemaInfo schema = component_schema(kind, component);
    if (!has_required(schema)) names.push_back(component.name);
    Json options = schema_of_options(schema);
    options["description"] = component.help;
    forms.push_back({{"type", "object"},
                     {"properties", {{component.name, options}}},
                     {"required", {component.name}},
                     {"additionalProperties", false}});
  }
  if (!names.empty()) forms.insert(forms.begin(), Json{{"type", "string"}, {"enum", names}});
  if (forms.empty()) return {{"description", kind.help}, {"not", Json::object()}};
  return {{"description", kind.help}, {"oneOf", forms}};
}

Json schema_of_time() {
  const Json text = {{"type", "string"}, {"pattern", kTimePattern}};
  Json json = any_of({text, {{"const", 0}}});
  json["description"] = "A time such as 3ep, 500st, 64000sm, 10min or 50%.";
  return json;
}

Json schema_of_modes() {
  Json words = Json::array();
  for (const std::string& name : Modes::all().names()) {
    words.push_back(name);
    words.push_back("!" + name);
  }
  const Json word = {{"enum", words}};
  return any_of({word, {{"type", "array"}, {"items", word}, {"minItems", 1}}});
}

// There, and not null.
Json schema_with(const std::string& key) {
  return {{"type", "object"},
          {"required", {key}},
          {"properties", {{key, {{"not", {{"type", "null"}}}}}}}};
}

// The shorthand in whole and nothing of the full form, or the other way round.
void add_forms(Json& schema) {
  Json shorthand = Json::array();
  Json full = Json::array();
  for (const std::string key : kShorthandNeeds) shorthand.push_back(schema_with(key));
  for (const std::string key : kFullForm) {
    shorthand.push_back({{"not", schema_with(key)}});
    full.push_back(schema_with(key));
  }
  for (const std::string key : kShorthand) full.push_back({{"not", schema_with(key)}});
  schema["oneOf"] = {{{"allOf", shorthand}}, {{"allOf", full}}};
  schema["allOf"] = {{{"type", "object"},
                      {"required", {"data"}},
                      {"properties", {{"data", schema_with("train")}}}}};
}

}  // namespace

nlohmann::json json_schema(const Catalog& catalog) {
  Json schema = schema_of_options(catalog.experiment);
  if (catalog.experiment.find(kShorthand.front()) != nullptr) add_forms(schema);
  schema["$schema"] = "https://json-schema.org/draft/2020-12/schema";
  schema["title"] = "Hearth experiment";
  schema["$defs"] = {{"time", schema_of_time()}, {"modes", schema_of_modes()}};
  for (const KindInfo& kind : catalog.kinds) schema["$defs"][kind.name] = schema_of_kind(kind);
  return schema;
}

}  // namespace hearth
