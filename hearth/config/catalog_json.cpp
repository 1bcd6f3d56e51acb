// The catalog to JSON and back, nothing lost.
#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "hearth/base/error.h"
#include "hearth/config/catalog.h"

namespace hearth {
namespace {

using Json = nlohmann::json;

constexpr std::array<const char*, 13> kTypeKindNames = {
    "boolean", "integer", "number", "text", "path",    "time",  "bytes",
    "modes",   "enum",    "list",   "map",  "options", "choice"};

// Scalars are strings, quoted ones {"text": ...}; maps are {"map": [[key, value], ...]}, because a
// JSON object would lose their order.
Json node_json(const Node& node) {
  if (node.is_null()) return nullptr;
  if (node.is_scalar()) return node.is_quoted() ? Json{{"text", node.text()}} : Json(node.text());
  Json items = Json::array();
  for (const Node& item : node.items()) items.push_back(node_json(item));
  for (const Node::Entry& entry : node.entries())
    items.push_back(Json::array({entry.key, node_json(entry.value)}));
  return node.is_list() ? items : Json{{"map", items}};
}

Node node_from(const Json& json) {
  if (json.is_null()) return {};
  if (json.is_string()) return Node::scalar(json.get<std::string>());
  if (json.contains("text")) return Node::scalar(json.at("text").get<std::string>(), {}, true);
  Node node = json.is_array() ? Node::list() : Node::map();
  if (json.is_array())
    for (const Json& item : json) node.items().push_back(node_from(item));
  else
    for (const Json& entry : json.at("map"))
      node.entries().push_back({entry.at(0).get<std::string>(), {}, node_from(entry.at(1))});
  return node;
}

Json fields_json(const std::vector<Field>& fields);
std::vector<Field> fields_from(const Json& json);

// What has its default is left out.
Json type_json(const Type& type) {
  Json json = {{"kind", kTypeKindNames.at(static_cast<size_t>(type.kind))}};
  if (type.is_optional) json["is_optional"] = true;
  if (type.is_scheduled) json["is_scheduled"] = true;
  if (!type.values.empty()) json["values"] = type.values;
  if (type.element) json["element"] = type_json(*type.element);
  if (type.options) json["options"] = fields_json(type.options->fields);
  if (!type.component_kind.empty()) json["component_kind"] = type.component_kind;
  if (!type.digest_of.empty()) json["digest_of"] = type.digest_of;
  if (type.minimum) json["minimum"] = *type.minimum;
  if (type.maximum) json["maximum"] = *type.maximum;
  if (type.excludes_minimum) json["excludes_minimum"] = true;
  if (type.excludes_maximum) json["excludes_maximum"] = true;
  if (type.must_not_be_empty) json["must_not_be_empty"] = true;
  if (type.may_stand_alone) json["may_stand_alone"] = true;
  if (type.names != NameRule::kAny) json["names"] = static_cast<int>(type.names);
  return json;
}

TypeKind type_kind_from(const std::string& name) {
  const auto found = std::find(kTypeKindNames.begin(), kTypeKindNames.end(), name);
  if (found == kTypeKindNames.end())
    throw DataError("the catalog is damaged: no type " + name + ".");
  return static_cast<TypeKind>(found - kTypeKindNames.begin());
}

Type type_from(const Json& json) {
  Type type;
  type.kind = type_kind_from(json.at("kind").get<std::string>());
  type.is_optional = json.value("is_optional", false);
  type.is_scheduled = json.value("is_scheduled", false);
  type.values = json.value("values", std::vector<std::string>());
  if (json.contains("element"))
    type.element = std::make_shared<const Type>(type_from(json.at("element")));
  if (json.contains("options"))
    type.options = std::make_shared<const SchemaInfo>(SchemaInfo{fields_from(json.at("options"))});
  type.component_kind = json.value("component_kind", "");
  type.digest_of = json.value("digest_of", "");
  if (json.contains("minimum")) type.minimum = json.at("minimum").get<double>();
  if (json.contains("maximum")) type.maximum = json.at("maximum").get<double>();
  type.excludes_minimum = json.value("excludes_minimum", false);
  type.excludes_maximum = json.value("excludes_maximum", false);
  type.must_not_be_empty = json.value("must_not_be_empty", false);
  type.may_stand_alone = json.value("may_stand_alone", false);
  type.names = static_cast<NameRule>(json.value("names", 0));
  return type;
}

Json fields_json(const std::vector<Field>& fields) {
  Json json = Json::array();
  for (const Field& field : fields) {
    json.push_back({{"name", field.name}, {"help", field.help}, {"type", type_json(field.type)}});
    if (!field.default_value.is_null()) json.back()["default"] = node_json(field.default_value);
    if (field.is_required) json.back()["is_required"] = true;
    if (field.is_by_time) json.back()["is_by_time"] = true;
  }
  return json;
}

std::vector<Field> fields_from(const Json& json) {
  std::vector<Field> fields;
  for (const Json& field : json)
    fields.push_back({field.at("name").get<std::string>(), field.at("help").get<std::string>(),
                      type_from(field.at("type")), node_from(field.value("default", Json())),
                      field.value("is_required", false), field.value("is_by_time", false)});
  return fields;
}

Json kind_json(const KindInfo& kind) {
  Json components = Json::array();
  for (const ComponentInfo& component : kind.components)
    components.push_back({{"name", component.name},
                          {"help", component.help},
                          {"fields", fields_json(component.schema.fields)}});
  return {{"name", kind.name},
          {"help", kind.help},
          {"place", kind.place},
          {"shared", fields_json(kind.shared)},
          {"numbers_may_be_scheduled", kind.numbers_may_be_scheduled},
          {"components", components}};
}

KindInfo kind_from(const Json& json) {
  KindInfo kind{json.at("name").get<std::string>(),
                json.at("help").get<std::string>(),
                json.at("place").get<std::string>(),
                fields_from(json.at("shared")),
                json.at("numbers_may_be_scheduled").get<bool>(),
                {}};
  for (const Json& component : json.at("components"))
    kind.components.push_back({component.at("name").get<std::string>(),
                               component.at("help").get<std::string>(),
                               {fields_from(component.at("fields"))}});
  return kind;
}

}  // namespace

nlohmann::json Catalog::to_json() const {
  Json all = Json::array();
  for (const KindInfo& kind : kinds) all.push_back(kind_json(kind));
  return {{"kinds", all}, {"experiment", fields_json(experiment.fields)}};
}

Catalog Catalog::from_json(const nlohmann::json& json) {
  try {
    Catalog catalog;
    for (const Json& kind : json.at("kinds")) catalog.kinds.push_back(kind_from(kind));
    catalog.experiment = {fields_from(json.at("experiment"))};
    return catalog;
  } catch (const Json::exception& error) {
    throw DataError("the catalog is damaged: " + std::string(error.what()));
  }
}

}  // namespace hearth
