// Text made from the catalog: help for one component, Markdown reference pages, JSON Schema.
#pragma once

#include <optional>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "hearth/config/catalog.h"

namespace hearth {

// For a terminal with lines of `width` letters; examples are never broken.
[[nodiscard]] std::string component_help(const KindInfo& kind, const ComponentInfo& component,
                                         size_t width);
[[nodiscard]] std::string kind_help(const KindInfo& kind, size_t width);
[[nodiscard]] std::string option_help(const Field& field, size_t width);
[[nodiscard]] std::string schema_help(const std::string& title, const SchemaInfo& schema,
                                      size_t width);

// The option at a path as overrides have it, through components too: train.epochs,
// data.ops[0].normalize.std, adamw.lr. Its name is then the path. Nothing for a path that leads
// nowhere.
[[nodiscard]] std::optional<Field> option_at(const Catalog& catalog, const std::string& path);

[[nodiscard]] std::string reference_page(const KindInfo& kind);     // Markdown
[[nodiscard]] std::string experiment_page(const Catalog& catalog);  // Markdown
[[nodiscard]] std::string schema_page(const std::string& title, const std::string& help,
                                      const SchemaInfo& schema);   // Markdown
[[nodiscard]] nlohmann::json json_schema(const Catalog& catalog);  // draft 2020-12

}  // namespace hearth
