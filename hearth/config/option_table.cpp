// Rows and examples from field lists.
#include "hearth/config/option_table.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "hearth/base/text.h"
#include "hearth/config/byte_size.h"
#include "hearth/config/mode.h"
#include "hearth/config/scalar_check.h"
#include "hearth/config/time.h"
#include "hearth/config/yaml.h"

namespace hearth {
namespace {

std::string default_cell(const Field& field) {
  constexpr size_t kLongest = 40;
  if (field.is_required) return "required";
  if (field.is_by_time || field.default_value.is_null()) return "none";
  const std::string text = to_yaml_line(field.default_value);
  return text.size() <= kLongest ? text : text.substr(0, kLongest - 3) + "...";
}

// What the items of lists and the entries of maps are, and how their place is written.
struct Items {
  const Type* type;
  std::string place;  // "[]", ".<name>" or both; nothing for other types
};

Items items_of(const Type& type) {
  Items items{&type, ""};
  while (items.type->element) {
    items.place += items.type->kind == TypeKind::kList ? "[]" : ".<name>";
    items.type = items.type->element.get();
  }
  return items;
}

void add_rows(const std::vector<Field>& fields, const std::string& prefix,
              std::vector<OptionRow>& rows) {
  for (const Field& field : fields) {
    const std::string path = prefix + field.name;
    if (field.type.kind == TypeKind::kOptions) {
      if (field.type.is_optional)  // whether it is there at all says something by itself
        rows.push_back({path, field.type.label(), "none", "", field.help});
      add_rows(field.type.options->fields, path + ".", rows);
      continue;
    }
    rows.push_back({path, field.type.label(), default_cell(field), field.type.rule(), field.help});
    const Items items = items_of(field.type);
    if (items.type->kind == TypeKind::kOptions)
      add_rows(items.type->options->fields, path + items.place + ".", rows);
  }
}

Node number_node(double value) { return Node::scalar(shortest_number(value)); }

// A number that keeps the rule, rather one that people would write.
Node sample_number(const Type& type) {
  std::vector<double> numbers = {8, 2, 1, 0.5, 0.1};
  if (type.kind == TypeKind::kNumber) numbers = {0.1, 0.5, 1, 2, 8};
  const double least = type.minimum.value_or(0);
  const double most = type.maximum.value_or(least + 1);
  for (const double number : {least, most, least + 1, (least + most) / 2})
    numbers.push_back(number);
  for (const double number : numbers)
    if (!scalar_fault(number_node(number), type)) return number_node(number);
  return {};
}

// A component that needs no options, when the type asks for one of this kind.
Node sample_choice(const Type& type, const KindInfo& kind) {
  if (type.component_kind != kind.name) return {};
  for (const ComponentInfo& component : kind.components)
    if (std::none_of(component.schema.fields.begin(), component.schema.fields.end(),
                     [](const Field& field) { return field.is_required; }))
      return Node::scalar(component.name);
  return {};
}

// Something that fits a required option.
Node sample_value(const Type& type, const KindInfo& kind) {
  switch (type.kind) {
    case TypeKind::kBoolean:
      return Node::scalar("true");
    case TypeKind::kInteger:
    case TypeKind::kNumber:
      return sample_number(type);
    case TypeKind::kTime:
      return Node::scalar("1ep");
    case TypeKind::kBytes:
      return Node::scalar("2GB");
    case TypeKind::kModes:
      return Node::scalar("train");
    case TypeKind::kEnum:
      return Node::scalar(type.values.empty() ? "" : type.values.front());
    case TypeKind::kList:
      return Node::list({sample_value(*type.element, kind)});
    case TypeKind::kText:
    case TypeKind::kPath:
      return Node::scalar("...");
    case TypeKind::kChoice:
      return sample_choice(type, kind);
    case TypeKind::kMap: {
      const Node value = type.element ? sample_value(*type.element, kind) : Node();
      return value.is_null() ? Node() : Node::map({{"name", {}, value}});
    }
    case TypeKind::kOptions: {
      Node options = Node::map();
      for (const Field& field : type.options->fields)
        if (field.is_required) options.set(field.name, sample_value(field.type, kind));
      return options;
    }
  }
  return {};
}

// A component without those of its options that say what they would be anyway.
Node short_choice(const Node& value, const Type& type, const KindInfo& kind) {
  if (type.kind != TypeKind::kChoice || !value.is_map() || value.entries().size() != 1)
    return value;
  const Node::Entry& entry = value.entries().front();
  const auto component =
      std::find_if(kind.components.begin(), kind.components.end(),
                   [&](const ComponentInfo& known) { return known.name == entry.key; });
  if (component == kind.components.end() || !entry.value.is_map()) return value;
  Node options = Node::map();
  for (const Node::Entry& option : entry.value.entries()) {
    const Field* field = component->schema.find(option.key);
    const bool is_usual =
        field != nullptr && to_yaml(option.value) == to_yaml(field->default_value);
    if (!is_usual && !option.value.is_null()) options.set(option.key, option.value);
  }
  if (options.entries().empty()) return Node::scalar(entry.key);
  return Node::map({{entry.key, {}, options}});
}

bool says_something(const Node& value) {
  return value.is_scalar() ? !value.text().empty()
                           : !value.items().empty() || !value.entries().empty();
}

struct ExampleOption {
  const Field* field;
  Node value;
};

// What is required, and a few more to show the form. The default of a required option is none.
std::vector<ExampleOption> example_options(const KindInfo& kind, const ComponentInfo& component) {
  constexpr size_t kMost = 3;
  std::vector<ExampleOption> options;
  for (const Field& field : component.schema.fields) {
    const bool has_default = !field.is_required && says_something(field.default_value);
    Node value = has_default ? short_choice(field.default_value, field.type, kind)
                             : sample_value(field.type, kind);
    const bool is_shown = field.is_required || (has_default && options.size() < kMost);
    if (is_shown && !value.is_null()) options.push_back({&field, std::move(value)});
  }
  return options;
}

std::string cpp_time(const Node& value) {
  const Time time = Time::from(value.text()).value_or(Time{});
  const std::string count = "(" + shortest_number(time.value) + ")";
  switch (time.unit) {
    case TimeUnit::kEpoch:
      return "epochs" + count;
    case TimeUnit::kStep:
      return "steps" + count;
    case TimeUnit::kSample:
      return "samples" + count;
    case TimeUnit::kMinute:
      return "minutes" + count;
    case TimeUnit::kPercent:
      return "percent" + count;
  }
  return "";
}

std::string cpp_mode(const Node& value) {
  std::string word = value.text();
  if (!word.empty()) word[0] = static_cast<char>(std::toupper(word[0]));
  return "Mode::k" + word;
}

// A kind's components have a namespace of their own: "layers::linear".
std::string cpp_factory(const std::string& kind, const std::string& component) {
  return kind + "s::" + component;
}

std::string cpp_value(const Node& value, const Type& type) {
  std::vector<std::string> parts;
  const Type& inner = type.element ? *type.element : type;
  for (const Node& item : value.items()) parts.push_back(cpp_value(item, inner));
  if (value.is_list()) return "{" + join(parts, ", ") + "}";
  if (value.is_map() && value.entries().size() == 1)
    return cpp_factory(type.component_kind, value.keys()[0]) + "()";
  switch (type.kind) {
    case TypeKind::kTime:
      return cpp_time(value);
    case TypeKind::kBytes:
      return "{" + std::to_string(ByteSize::from(value.text()).value_or(ByteSize{}).bytes) + "}";
    case TypeKind::kModes:
      return cpp_mode(value);
    case TypeKind::kText:
    case TypeKind::kPath:
    case TypeKind::kEnum:
      return nlohmann::json(value.text()).dump();
    case TypeKind::kChoice:
      return cpp_factory(type.component_kind, value.text()) + "()";
    default:
      return value.text();
  }
}

// The example's values in C++; maps of values have no short form there.
bool has_cpp_form(const ExampleOption& option) {
  const TypeKind kind = option.field->type.kind;
  return kind != TypeKind::kMap && kind != TypeKind::kOptions;
}

}  // namespace

std::vector<OptionRow> option_rows(const std::vector<Field>& fields) {
  std::vector<OptionRow> rows;
  add_rows(fields, "", rows);
  return rows;
}

std::string yaml_example(const KindInfo& kind, const ComponentInfo& component) {
  Node options = Node::map();
  for (const ExampleOption& option : example_options(kind, component))
    options.set(option.field->name, option.value);
  return component.name + ": " + to_yaml_line(options);
}

std::string cpp_example(const KindInfo& kind, const ComponentInfo& component) {
  std::vector<std::string> parts;
  for (const ExampleOption& option : example_options(kind, component))
    if (has_cpp_form(option))
      parts.push_back("." + option.field->name + " = " +
                      cpp_value(option.value, option.field->type));
  return cpp_factory(kind.name, component.name) +
         (parts.empty() ? "()" : "({" + join(parts, ", ") + "})");
}

}  // namespace hearth
