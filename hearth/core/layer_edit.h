// One change of a model before it is built: what `edits` lists.
#pragma once

#include <optional>
#include <string>

#include "hearth/config/choice.h"

namespace hearth {

struct ReplaceOptions {
  std::string at = "";
  Choice<Layer> with = {};
  static const Schema<ReplaceOptions>& schema();
};

struct InsertOptions {
  std::string at = "";
  Choice<Layer> layer = {};
  std::string name = "";
  static const Schema<InsertOptions>& schema();
};

// One of the four; layers are named by paths below the model, or by patterns of them.
struct LayerEdit {
  std::optional<std::string> freeze = {};
  std::optional<ReplaceOptions> replace = {};
  std::optional<InsertOptions> insert_after = {};
  std::optional<std::string> remove = {};
  Mark mark = {};  // where the config has it
  static const Schema<LayerEdit>& schema();
};

template <>
struct TypeOf<LayerEdit> {
  static Type type();
  static LayerEdit read(const Node& node);
  static Node write(const LayerEdit& edit);
};

}  // namespace hearth
