// Rows and examples from field lists.
#include "hearth/config/option_table.h"

#include <nlohmann/json.hpp>

#include "hearth/base/text.h"
#include "hearth/config/mode.h"
#include "hearth/config/time.h"
#include "hearth/config/yaml.h"

namespace hearth {
namespace {

std::string default_cell(const Field& field) {
  constexpr size_t kLongest = 40;
  if (field.is_required) return "required";
  if (field.default_value.is_null()) return "none";
  const std::string text = to_yaml_line(field.default_value);
  return text.size() <= kLongest ? text : text.substr(0, kLongest - 3) + "...";
}

void add_rows(const std::vector<Field>& fields, const std::string& prefix,
              std::vector<OptionRow>& rows) {
  for (const Field& field : fields)
    if (field.type.kind == TypeKind::kOptions)
      add_rows(field.type.options->fields, prefix + field.name + ".", rows);
    else
      rows.push_back({prefix + field.name, field.type.label(), default_cell(field),
                      field.type.rule(), field.help});
}

// Something of the right type for a required option that has no default.
Node sample_value(const Type& type) {
  switch (type.kind) {
    case TypeKind::kBoolean:
      return Node::scalar("true");
    case TypeKind::kInteger:
    case TypeKind::kNumber:
      return Node::scalar(shortest_number(type.minimum.value_or(0) + 1));
    case TypeKind::kTime:
      return Node::scalar("1ep");
    case TypeKind::kModes:
      return Node::scalar("train");
    case TypeKind::kEnum:
      return Node::scalar(type.values.empty() ? "" : type.values.front());
    case TypeKind::kList:
      return Node::list({sample_value(*type.element)});
    case TypeKind::kText:
      return Node::scalar("...");
    case TypeKind::kMap:
    case TypeKind::kOptions:
    case TypeKind::kChoice:
      break;
  }
  return {};
}

bool says_something(const Node& value) {
  return value.is_scalar() ? !value.text().empty()
                           : !value.items().empty() || !value.entries().empty();
}

struct ExampleOption {
  const Field* field;
  Node value;
};

// What is required, and a few more to show the form.
std::vector<ExampleOption> example_options(const ComponentInfo& component) {
  constexpr size_t kMost = 3;
  std::vector<ExampleOption> options;
  for (const Field& field : component.schema.fields) {
    const bool has_default = says_something(field.default_value);
    Node value = has_default ? field.default_value : sample_value(field.type);
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

std::string cpp_value(const Node& value, const Type& type) {
  std::vector<std::string> parts;
  const Type& inner = type.element ? *type.element : type;
  for (const Node& item : value.items()) parts.push_back(cpp_value(item, inner));
  if (value.is_list()) return "{" + join(parts, ", ") + "}";
  if (value.is_map() && value.entries().size() == 1) return value.keys()[0] + "()";
  switch (type.kind) {
    case TypeKind::kTime:
      return cpp_time(value);
    case TypeKind::kModes:
      return cpp_mode(value);
    case TypeKind::kText:
    case TypeKind::kEnum:
      return nlohmann::json(value.text()).dump();
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

std::string yaml_example(const ComponentInfo& component) {
  Node options = Node::map();
  for (const ExampleOption& option : example_options(component))
    options.set(option.field->name, option.value);
  return component.name + ": " + to_yaml_line(options);
}

std::string cpp_example(const ComponentInfo& component) {
  std::vector<std::string> parts;
  for (const ExampleOption& option : example_options(component))
    if (has_cpp_form(option))
      parts.push_back("." + option.field->name + " = " +
                      cpp_value(option.value, option.field->type));
  return component.name + (parts.empty() ? "()" : "({" + join(parts, ", ") + "})");
}

}  // namespace hearth
