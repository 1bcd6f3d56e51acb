// Reference pages in Markdown.
#include "hearth/base/text.h"
#include "hearth/config/chosen.h"
#include "hearth/config/option_table.h"
#include "hearth/config/reference.h"

namespace hearth {
namespace {

std::string markdown_cell(const std::string& text) {
  std::string cell;
  for (const char letter : text) {
    if (letter == '|') cell += '\\';
    cell += letter == '\n' ? ' ' : letter;
  }
  return cell;
}

std::string markdown_code(const std::string& text) {
  return text.empty() ? "" : "`" + markdown_cell(text) + "`";
}

std::string markdown_table(const std::vector<Field>& fields) {
  std::string table = "| option | type | default | rule | meaning |\n|---|---|---|---|---|\n";
  for (const OptionRow& row : option_rows(fields)) {
    const bool is_value = row.default_text != "required" && row.default_text != "none";
    table += "| `" + row.name + "` | " + markdown_cell(row.type) + " | " +
             (is_value ? markdown_code(row.default_text) : row.default_text) + " | " +
             markdown_cell(row.rule) + " | " + markdown_cell(row.meaning) + " |\n";
  }
  return table;
}

std::string component_section(const KindInfo& kind, const ComponentInfo& component) {
  const std::vector<Field> fields = own_schema(kind, component).fields;
  return "\n## " + component.name + "\n\n" + component.help + "\n\n" +
         (fields.empty() ? "It takes no options.\n" : markdown_table(fields)) + "\n```yaml\n" +
         yaml_example(kind, component) + "\n```\n\n```cpp\n" + cpp_example(kind, component) +
         "\n```\n";
}

}  // namespace

std::string reference_page(const KindInfo& kind) {
  std::string page = "# " + kind.name + "\n\n" + kind.help + "\n";
  if (!kind.place.empty()) page += "\nIn a config it goes to `" + kind.place + "`.\n";
  if (kind.numbers_may_be_scheduled)
    page +=
        "\nA number `or schedule` is asked at every step; one `or schedule by epoch` as an epoch "
        "starts.\n";
  if (!kind.shared.empty())
    page += "\nEvery one of them also takes:\n\n" + markdown_table(kind.shared);
  for (const ComponentInfo& component : kind.components) page += component_section(kind, component);
  return page;
}

std::string schema_page(const std::string& title, const std::string& help,
                        const SchemaInfo& schema) {
  return "# " + title + "\n\n" + help + "\n\n" + markdown_table(schema.fields);
}

std::string experiment_page(const Catalog& catalog) {
  std::string page =
      schema_page("The config file", "Every option of an experiment.", catalog.experiment) +
      "\n## Kinds of component\n\n";
  for (const KindInfo& kind : catalog.kinds) {
    page += "- [" + kind.name + "](" + kind.name + ".md): " + kind.help;
    page += kind.place.empty() ? "\n" : " In `" + kind.place + "`.\n";
  }
  return page;
}

}  // namespace hearth
