// Parameters of a model that learn in a way of their own.
#include "hearth/experiment/parameter_group.h"

namespace hearth {

const Schema<ParameterGroup>& ParameterGroup::schema() {
  using O = ParameterGroup;
  static const auto fields =
      Schema<O>()
          .field(&O::match, "match",
                 "Parameters by path, or by patterns such as '*.bias' and 'stem.*'.", required(),
                 not_empty())
          .field(&O::name, "name", "What the log calls it, lr/net/<name>; left out: its number.")
          .field(&O::lr_factor, "lr_factor", "Times the optimizer's learning rate.", at_least(0))
          .field(&O::weight_decay, "weight_decay",
                 "In the place of the optimizer's; left out: the optimizer's.", at_least(0))
          .field(&O::frozen, "frozen", "They do not learn, and no gradients are computed for them.")
          .field(&O::optimizer, "optimizer",
                 "Who moves them, a name from `optimizers`; left out: `optimizer`.")
          .field(&O::from, "from", "When it comes into force, at that very step.")
          .field(&O::until, "until", "When it is no longer in force.")
          .check(
              "a group with an optimizer holds always: parameters cannot change their optimizer. "
              "Leave from and until out, or write them into a group of their own before it.",
              [](const O& group) {
                return group.optimizer.empty() || (!group.from && !group.until);
              });
  return fields;
}

Type TypeOf<ParameterGroup>::type() {
  Type type;
  type.kind = TypeKind::kOptions;
  type.options = std::make_shared<const SchemaInfo>(ParameterGroup::schema().info());
  return type;
}

ParameterGroup TypeOf<ParameterGroup>::read(const Node& node) {
  ParameterGroup group = ParameterGroup::schema().read(node);
  group.mark = node.mark();
  return group;
}

Node TypeOf<ParameterGroup>::write(const ParameterGroup& group) {
  Node node = ParameterGroup::schema().write(group);
  for (const char* option : {"weight_decay", "from", "until"})
    if (node.find(option)->is_null()) node.erase(option);
  return node;
}

}  // namespace hearth
