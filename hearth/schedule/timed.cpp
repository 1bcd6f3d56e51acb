// Finding the schedules that stand in the place of numbers.
#include "hearth/schedule/timed.h"

#include "hearth/base/error.h"
#include "hearth/base/text.h"

namespace hearth {
namespace {

bool may_move(const Type& type) {
  return type.kind == TypeKind::kNumber && type.component_kind.empty();
}

// The number at the start. Without its file, a table still lets what asks no number be made.
Node first_number(const ScheduledValue& schedule, const Field& field, const Mark& mark) {
  const Moment start{0, 0, {1, 1, 1}};
  try {
    return Node::scalar(shortest_number(schedule.at(start)), mark);
  } catch (const DataError&) {
    if (!field.default_value.is_scalar()) throw;
    return Node::scalar(field.default_value.text(), mark);
  }
}

// The schedule, which the number that it starts with replaces.
MovingNumber taken(Node& value, const SchemaInfo& schema, size_t field, size_t element) {
  const ScheduledValue schedule(TypeOf<Scheduled>::read(value));
  const Mark mark = value.mark();
  value = first_number(schedule, schema.fields[field], mark);
  return {field, element, schedule};
}

}  // namespace

std::vector<MovingNumber> take_moving_numbers(Node& options, const SchemaInfo& schema) {
  std::vector<MovingNumber> moving;
  for (size_t i = 0; i < schema.fields.size(); ++i) {
    const Type& type = schema.fields[i].type;
    Node* value = options.find(schema.fields[i].name);
    // An option of type Scheduled keeps its schedule, and asks it by itself.
    if (value == nullptr || type.is_scheduled) continue;
    if (may_move(type) && is_schedule(*value)) moving.push_back(taken(*value, schema, i, 0));
    if (type.kind != TypeKind::kList || type.element->is_scheduled || !may_move(*type.element))
      continue;
    if (is_schedule(*value)) *value = Node::list({*value}, value->mark());
    if (!value->is_list()) continue;
    for (size_t k = 0; k < value->items().size(); ++k)
      if (Node& item = value->items()[k]; is_schedule(item))
        moving.push_back(taken(item, schema, i, k));
  }
  return moving;
}

}  // namespace hearth
