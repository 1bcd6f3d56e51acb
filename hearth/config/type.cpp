// Types and rules in words.
#include "hearth/config/type.h"

#include <algorithm>

#include "hearth/base/text.h"
#include "hearth/config/time.h"

namespace hearth {
namespace {

std::string plain_type_label(const Type& type) {
  switch (type.kind) {
    case TypeKind::kBoolean:
      return "boolean";
    case TypeKind::kInteger:
      return "integer";
    case TypeKind::kNumber:
      return "number";
    case TypeKind::kText:
      return "text";
    case TypeKind::kPath:
      return "path";
    case TypeKind::kTime:
      return "time";
    case TypeKind::kBytes:
      return "size";
    case TypeKind::kModes:
      return "modes";
    case TypeKind::kEnum:
      return "one of " + join(type.values, ", ");
    case TypeKind::kList:
      return (type.may_stand_alone ? type.element->label() + " or " : "") + "list of " +
             type.element->label();
    case TypeKind::kMap:
      if (!type.component_kind.empty()) return "options by " + type.component_kind;
      return type.may_stand_alone ? type.element->label() + ", or several by name"
                                  : "map of " + type.element->label();
    case TypeKind::kOptions:
      return "options";
    case TypeKind::kChoice:
      return type.component_kind;
  }
  return "";
}

template <class Change>
void change_values(Type& type, const Change& change) {
  if (!type.element) return change(type);
  Type element = *type.element;
  change_values(element, change);
  type.element = std::make_shared<const Type>(std::move(element));
}

// Numbers, and those in lists.
template <class Change>
void change_numbers(Type& type, const Change& change) {
  const Type& value = type.kind == TypeKind::kList ? *type.element : type;
  if (value.kind == TypeKind::kNumber || value.kind == TypeKind::kInteger)
    change_values(type, change);
}

}  // namespace

std::string Type::label() const {
  std::string label = plain_type_label(*this);
  if (kind != TypeKind::kEnum && !values.empty()) label += " or " + join(values, " or ");
  if (is_scheduled) label += changes_by_epoch ? " or schedule by epoch" : " or schedule";
  if (is_optional) label += " or null";
  return label;
}

std::string Type::rule() const {
  std::vector<std::string> bounds;
  if (minimum)
    bounds.push_back((excludes_minimum ? "above " : "at least ") + shortest_number(*minimum));
  if (maximum && !(kind == TypeKind::kInteger && *maximum == kLargestInteger))
    bounds.push_back((excludes_maximum ? "below " : "at most ") + shortest_number(*maximum));
  std::vector<std::string> rules;
  if (!bounds.empty()) rules.push_back(join(bounds, " and "));
  if (must_not_be_empty) rules.emplace_back("not empty");
  if (kind == TypeKind::kPath) rules.emplace_back("relative to this file");
  if (names != NameRule::kAny) rules.emplace_back("of letters, digits, '.', '_', '-'");
  if (element && !element->rule().empty()) rules.push_back("each " + element->rule());
  return join(rules, ", ");
}

const Field* SchemaInfo::find(std::string_view name) const {
  const Field* by_time = nullptr;
  for (const Field& field : fields) {
    if (field.is_by_time)
      by_time = &field;
    else if (field.name == name)
      return &field;
  }
  return by_time != nullptr && Time::from(name) ? by_time : nullptr;
}

bool SchemaInfo::is_by_time(const Node& options) const {
  return std::any_of(options.entries().begin(), options.entries().end(), [&](const auto& entry) {
    const Field* field = find(entry.key);
    return field != nullptr && field->is_by_time;
  });
}

void SchemaInfo::let_numbers_move() {
  for (Field& field : fields)
    change_numbers(field.type, [](Type& type) {
      if (type.kind == TypeKind::kNumber) type.is_scheduled = true;
    });
}

void SchemaInfo::let_numbers_change_by_epoch() {
  for (Field& field : fields)
    change_numbers(field.type, [](Type& type) {
      if (type.is_scheduled) return;
      type.is_scheduled = true;
      type.changes_by_epoch = true;
    });
}

std::vector<std::string> SchemaInfo::names() const {
  std::vector<std::string> names;
  for (const Field& field : fields)
    if (!field.is_by_time) names.push_back(field.name);
  return names;
}

void AtLeast::apply(Field& field) const {
  change_values(field.type, [&](Type& type) { type.minimum = value; });
}

void AtMost::apply(Field& field) const {
  change_values(field.type, [&](Type& type) { type.maximum = value; });
}

void Above::apply(Field& field) const {
  change_values(field.type, [&](Type& type) {
    type.minimum = value;
    type.excludes_minimum = true;
  });
}

void Below::apply(Field& field) const {
  change_values(field.type, [&](Type& type) {
    type.maximum = value;
    type.excludes_maximum = true;
  });
}

void IsPath::apply(Field& field) const {
  change_values(field.type, [](Type& type) { type.kind = TypeKind::kPath; });
}

void Of64Bits::apply(Field& field) const {
  change_values(field.type, [](Type& type) { type.maximum.reset(); });
}

void OneOf::apply(Field& field) const {
  change_values(field.type, [&](Type& type) {
    type.kind = TypeKind::kEnum;
    type.values = values;
  });
}

OneOf one_of(std::initializer_list<const char*> values) { return {{values.begin(), values.end()}}; }

}  // namespace hearth
