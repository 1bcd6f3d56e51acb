// Help for a terminal of any width.
#include <algorithm>
#include <array>

#include "hearth/base/letters.h"
#include "hearth/base/text.h"
#include "hearth/config/chosen.h"
#include "hearth/config/option_table.h"
#include "hearth/config/reference.h"

namespace hearth {
namespace {

constexpr size_t kLeastForMeaning = 30;
constexpr size_t kIndent = 2;
constexpr size_t kDeepIndent = 6;

using HelpLine = std::array<std::string, 5>;
using Widths = std::array<size_t, 4>;  // of all columns but the last, gaps included

std::vector<HelpLine> help_lines(const std::vector<Field>& fields) {
  std::vector<HelpLine> lines = {{"option", "type", "default", "rule", "meaning"}};
  for (const OptionRow& row : option_rows(fields))
    lines.push_back({row.name, row.type, row.default_text, row.rule, row.meaning});
  return lines;
}

std::string below(const std::vector<std::string>& lines, size_t indent) {
  return join(lines, "\n" + std::string(indent, ' ')) + "\n";
}

std::string help_table(const std::vector<HelpLine>& lines, const Widths& widths, size_t room) {
  std::string table;
  size_t indent = kIndent;
  for (const size_t width : widths) indent += width;
  for (const HelpLine& line : lines) {
    table += std::string(kIndent, ' ');
    for (size_t i = 0; i < widths.size(); ++i) table += padded(line[i], widths[i]);
    table += below(wrapped(line.back(), room), indent);
  }
  return table;
}

// One option below the other, for pages too narrow for columns.
std::string help_list(std::vector<HelpLine> lines, size_t width) {
  std::string list;
  lines.erase(lines.begin());  // the headings
  for (const auto& [name, type, default_text, rule, meaning] : lines) {
    std::string facts = name + ": " + type;
    if (!rule.empty()) facts += ", " + rule;
    if (default_text == "required") facts += "; required";
    if (default_text != "required" && default_text != "none") facts += "; default " + default_text;
    list += std::string(kIndent, ' ') + below(wrapped(facts, width - kDeepIndent), kDeepIndent);
    list +=
        std::string(kDeepIndent, ' ') + below(wrapped(meaning, width - kDeepIndent), kDeepIndent);
  }
  return list;
}

std::string help_options(const std::vector<Field>& fields, size_t width) {
  if (fields.empty()) return "  It takes no options of its own.\n";
  const std::vector<HelpLine> lines = help_lines(fields);
  Widths widths{};
  for (const HelpLine& line : lines)
    for (size_t i = 0; i < widths.size(); ++i)
      widths[i] = std::max(widths[i], letter_count(line[i]) + 2);
  size_t used = kIndent;
  for (const size_t column : widths) used += column;
  return used + kLeastForMeaning <= width ? help_table(lines, widths, width - used)
                                          : help_list(lines, width);
}

std::string help_for_all(const KindInfo& kind, size_t width) {
  std::vector<std::string> names;
  for (const Field& field : kind.shared) names.push_back(field.name);
  std::string text;
  if (!names.empty())
    text +=
        below(wrapped("Every " + kind.name + " also takes " + join(names, ", ") + ".", width), 0);
  if (kind.numbers_may_be_scheduled)
    text += "A schedule is asked at every step, one by epoch as an epoch starts.\n";
  return text.empty() ? "" : "\n" + text;
}

}  // namespace

std::string component_help(const KindInfo& kind, const ComponentInfo& component, size_t width) {
  const std::string place = kind.place.empty() ? "" : ", goes to " + kind.place;
  return component.name + " (" + kind.name + place + ")\n" +
         below(wrapped(component.help, width), 0) + "\n" +
         help_options(own_schema(kind, component).fields, width) + help_for_all(kind, width) +
         "\nYAML  " + yaml_example(kind, component) + "\nC++   " + cpp_example(kind, component) +
         "\n";
}

std::string kind_help(const KindInfo& kind, size_t width) {
  const std::string place = kind.place.empty() ? "" : " (goes to " + kind.place + ")";
  std::string text = kind.name + place + "\n" + below(wrapped(kind.help, width), 0);
  if (!kind.shared.empty())
    text += "\nEvery one of them also takes\n" + help_options(kind.shared, width);
  for (const ComponentInfo& component : kind.components)
    text += "\n" + component_help(kind, component, width);
  return text;
}

std::string option_help(const Field& field, size_t width) {
  // One that is always there has no row for its own meaning.
  const bool is_group = field.type.kind == TypeKind::kOptions && !field.type.is_optional;
  return field.name + "\n" + (is_group ? below(wrapped(field.help, width), 0) : "") + "\n" +
         help_options({field}, width);
}

std::string schema_help(const std::string& title, const SchemaInfo& schema, size_t width) {
  return title + "\n\n" + help_options(schema.fields, width);
}

}  // namespace hearth
