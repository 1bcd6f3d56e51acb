// A schema as rows of text, and an example of its use: what help and reference pages share.
#pragma once

#include <string>
#include <vector>

#include "hearth/config/catalog.h"
#include "hearth/config/registry.h"
#include "hearth/config/type.h"

namespace hearth {

struct OptionRow {
  // "train.epochs" for nested options, "models.<name>.build" in maps, "groups[].match" in lists
  std::string name;
  std::string type;
  std::string default_text;
  std::string rule;
  std::string meaning;
};

[[nodiscard]] std::vector<OptionRow> option_rows(const std::vector<Field>& fields);

// early_stopping: {monitor: loss, patience: 3}
[[nodiscard]] std::string yaml_example(const KindInfo& kind, const ComponentInfo& component);
// traces::early_stopping({.monitor = "loss", .patience = 3})
[[nodiscard]] std::string cpp_example(const KindInfo& kind, const ComponentInfo& component);

}  // namespace hearth
