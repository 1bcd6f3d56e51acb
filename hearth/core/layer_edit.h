// One change of a model before it is built: what `edits` lists.
#pragma once

#include <optional>
#include <string>
#include <vector>

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

// A layer around one: what stands there becomes its option `layer`.
struct WrapOptions {
  std::string at = "*";
  Choice<Layer> with = {};
  std::string only = "";
  static const Schema<WrapOptions>& schema();
};

// One of the six; layers are named by paths below the model, or by patterns of them.
struct LayerEdit {
  std::optional<std::string> freeze = {};
  std::optional<ReplaceOptions> replace = {};
  std::optional<InsertOptions> insert_after = {};
  std::optional<std::string> remove = {};
  std::optional<WrapOptions> wrap = {};
  std::vector<std::string> train_only = {};
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
