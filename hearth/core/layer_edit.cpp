// One change of a model before it is built.
#include "hearth/core/layer_edit.h"

namespace hearth {

const Schema<ReplaceOptions>& ReplaceOptions::schema() {
  using O = ReplaceOptions;
  static const auto fields =
      Schema<O>()
          .field(&O::at, "at", "Path of the layer, or a pattern such as layer1.*.relu.", required(),
                 not_empty())
          .field(&O::with, "with", "The layer that stands there instead, under the same name.",
                 required());
  return fields;
}

const Schema<InsertOptions>& InsertOptions::schema() {
  using O = InsertOptions;
  static const auto fields =
      Schema<O>()
          .field(&O::at, "at", "Path of the layer, or a pattern such as layer1.*.relu.", required(),
                 not_empty())
          .field(&O::layer, "layer", "The layer that takes what that one gives.", required())
          .field(&O::name, "name",
                 "Name of the new layer; when left out, made of both, such as relu_dropout.");
  return fields;
}

const Schema<WrapOptions>& WrapOptions::schema() {
  using O = WrapOptions;
  static const auto fields =
      Schema<O>()
          .field(&O::at, "at", "Path of the layer, or a pattern such as h.*.attn.*; * for all.",
                 not_empty())
          .field(&O::with, "with", "The layer around it, which takes it as its option `layer`.",
                 required())
          .field(&O::only, "only", "Of those that fit, layers of this kind alone, such as linear.");
  return fields;
}

const Schema<LayerEdit>& LayerEdit::schema() {
  using O = LayerEdit;
  static const auto fields =
      Schema<O>()
          .field(&O::freeze, "freeze",
                 "Layers or parameters, by path or pattern such as stem.*, that do not learn.",
                 not_empty())
          .field(&O::replace, "replace", "Another layer in the place of one.")
          .field(&O::insert_after, "insert_after", "A new layer after one.")
          .field(&O::remove, "remove",
                 "A layer with one value in and out, by path or pattern, that is left out.",
                 not_empty())
          .field(&O::wrap, "wrap", "A layer around one, such as lora; names stay as they are.")
          .field(&O::train_only, "train_only",
                 "Parameters, by name or pattern such as '*.lora_a', that learn; all others do "
                 "not.")
          .check("names one of freeze, replace, insert_after, remove, wrap and train_only.",
                 [](const O& edit) {
                   return (edit.freeze ? 1 : 0) + (edit.replace ? 1 : 0) +
                              (edit.insert_after ? 1 : 0) + (edit.remove ? 1 : 0) +
                              (edit.wrap ? 1 : 0) + (edit.train_only.empty() ? 0 : 1) ==
                          1;
                 });
  return fields;
}

Type TypeOf<LayerEdit>::type() {
  Type type;
  type.kind = TypeKind::kOptions;
  type.options = std::make_shared<const SchemaInfo>(LayerEdit::schema().info());
  return type;
}

LayerEdit TypeOf<LayerEdit>::read(const Node& node) {
  LayerEdit edit = LayerEdit::schema().read(node);
  edit.mark = node.mark();
  return edit;
}

Node TypeOf<LayerEdit>::write(const LayerEdit& edit) {
  Node node = LayerEdit::schema().write(edit);
  for (const char* option : {"freeze", "replace", "insert_after", "remove", "wrap"})
    if (node.find(option)->is_null()) node.erase(option);
  if (edit.train_only.empty()) node.erase("train_only");
  return node;
}

}  // namespace hearth
