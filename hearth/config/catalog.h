// Every component of every kind as data. The build writes it to catalog.json, so that commands
// which need no tensor can list, explain and validate without loading LibTorch.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "hearth/config/registry.h"
#include "hearth/config/type.h"

namespace hearth {

struct KindInfo {
  std::string name;           // "sample_op"
  std::string help;           // "Ops on one sample, run by worker threads."
  std::string place;          // where YAML takes it: "data.ops"
  std::vector<Field> shared;  // fields every component of the kind takes: when, from, ...
  bool numbers_may_be_scheduled = false;
  std::vector<ComponentInfo> components;
  [[nodiscard]] const ComponentInfo* find(std::string_view name) const;
  [[nodiscard]] std::vector<std::string> names() const;
};

struct Catalog {
  std::vector<KindInfo> kinds;
  SchemaInfo experiment;  // the whole config file
  [[nodiscard]] const KindInfo* kind(std::string_view name) const;
  [[nodiscard]] nlohmann::json to_json() const;
  [[nodiscard]] static Catalog from_json(const nlohmann::json& json);
};

// The fields of every node of the graph: when, from, until, every, offset.
[[nodiscard]] std::vector<Field> node_fields();
// Those of every layer among others: name, and in a graph also in and out.
[[nodiscard]] std::vector<Field> layer_fields();

}  // namespace hearth
