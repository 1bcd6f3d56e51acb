// For tests: which options of a component the stored cases never set.
#pragma once

#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "hearth/config/type.h"

namespace hearth {

// "smooth", or "form: hinge" of an option that is one of a few; those in `others` are tried
// elsewhere.
inline std::vector<std::string> untried_options(const SchemaInfo& schema,
                                                const std::vector<nlohmann::json>& cases,
                                                const std::set<std::string>& others = {}) {
  std::vector<std::string> untried;
  for (const Field& field : schema.fields) {
    std::set<std::string> tried;
    for (const nlohmann::json& options : cases)
      if (options.contains(field.name))
        tried.insert(options[field.name].is_string() ? options[field.name].get<std::string>() : "");
    if (tried.empty() && !others.contains(field.name)) untried.push_back(field.name);
    if (tried.empty()) continue;
    for (const std::string& value : field.type.values)
      if (!tried.contains(value) && value != field.default_value.text())
        untried.push_back(field.name + ": " + value);
  }
  return untried;
}

}  // namespace hearth
