// Help for a terminal.
#include <algorithm>
#include <array>

#include "hearth/base/text.h"
#include "hearth/config/option_table.h"
#include "hearth/config/reference.h"

namespace hearth {
namespace {

using HelpLine = std::array<std::string, 5>;

std::string help_table(const std::vector<Field>& fields) {
  std::vector<HelpLine> lines = {{"option", "type", "default", "rule", "meaning"}};
  for (const OptionRow& row : option_rows(fields))
    lines.push_back({row.name, row.type, row.default_text, row.rule, row.meaning});
  std::array<size_t, 5> widths{};
  for (const HelpLine& line : lines)
    for (size_t i = 0; i < line.size(); ++i) widths[i] = std::max(widths[i], line[i].size());
  std::string table;
  for (const HelpLine& line : lines) {
    table += "  ";
    for (size_t i = 0; i + 1 < line.size(); ++i)
      table += line[i] + std::string(widths[i] - line[i].size() + 2, ' ');
    table += line.back() + "\n";
  }
  return table;
}

std::string help_options(const std::vector<Field>& fields) {
  return fields.empty() ? "  It takes no options of its own.\n" : help_table(fields);
}

std::string help_for_all(const KindInfo& kind) {
  std::vector<std::string> names;
  for (const Field& field : kind.shared) names.push_back(field.name);
  std::string text;
  if (!names.empty()) text += "Every " + kind.name + " also takes " + join(names, ", ") + ".\n";
  if (kind.numbers_may_be_scheduled) text += "Its numbers may hold a schedule.\n";
  return text.empty() ? "" : "\n" + text;
}

}  // namespace

std::string component_help(const KindInfo& kind, const ComponentInfo& component) {
  const std::string place = kind.slot.empty() ? "" : ", goes to " + kind.slot;
  return component.name + " (" + kind.name + place + ")\n" + component.help + "\n\n" +
         help_options(component.schema.fields) + help_for_all(kind) + "\nYAML  " +
         yaml_example(component) + "\nC++   " + cpp_example(component) + "\n";
}

std::string schema_help(const std::string& title, const SchemaInfo& schema) {
  return title + "\n\n" + help_options(schema.fields);
}

}  // namespace hearth
