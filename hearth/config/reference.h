// Text made from the catalog: help for one component, Markdown reference pages, JSON Schema.
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "hearth/config/catalog.h"

namespace hearth {

[[nodiscard]] std::string component_help(const KindInfo& kind, const ComponentInfo& component);
[[nodiscard]] std::string schema_help(const std::string& title, const SchemaInfo& schema);
[[nodiscard]] std::string reference_page(const KindInfo& kind);     // Markdown
[[nodiscard]] std::string experiment_page(const Catalog& catalog);  // Markdown
[[nodiscard]] nlohmann::json json_schema(const Catalog& catalog);   // draft 2020-12

}  // namespace hearth
