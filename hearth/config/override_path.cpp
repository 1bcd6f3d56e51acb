// a.b[0].c=value and a.list+=value to steps and a node.
#include "hearth/config/override_path.h"

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/config/yaml.h"

namespace hearth {
namespace {

[[noreturn]] void throw_bad_form(const std::string& text) {
  throw_override_fault(text, "expected path=value, such as train.epochs=10.");
}

// One part between dots: name, name[0], name[0][-1].
void add_steps(const std::string& part, const std::string& text, std::vector<PathStep>& path) {
  const std::vector<std::string> pieces = split(part, '[');
  if (pieces[0].empty()) throw_bad_form(text);
  path.push_back({pieces[0]});
  for (size_t i = 1; i < pieces.size(); ++i) {
    const bool is_closed = pieces[i].ends_with(']');
    const auto index =
        read_integer(std::string_view(pieces[i]).substr(0, pieces[i].size() - (is_closed ? 1 : 0)));
    if (!is_closed || !index)
      throw_override_fault(
          text, "expected an index such as [0] or [-1], but got " + quote("[" + pieces[i]) + ".");
    path.push_back({"", *index});
  }
}

void mark_all(Node& node, const Mark& mark) {
  node.set_mark(mark);
  for (Node& item : node.items()) mark_all(item, mark);
  for (Node::Entry& entry : node.entries()) {
    entry.mark = mark;
    mark_all(entry.value, mark);
  }
}

// YAML, except that text which YAML would take for a tag, an alias or a comment stays text.
Node override_value(std::string_view value, const std::string& text) {
  constexpr std::string_view kNotYaml = "!#%@`&*|>";
  if (value.empty() || value == "null" || value == "~") return {};
  if (kNotYaml.find(value.front()) != kNotYaml.npos) return Node::scalar(std::string(value));
  return parse_yaml(value, "override " + quote(text));
}

}  // namespace

void throw_override_fault(const std::string& text, const std::string& message) {
  throw ConfigError("override " + quote(text) + ": " + message);
}

Override parse_override(const std::string& text) {
  const size_t equals = text.find('=');
  if (equals == std::string::npos) throw_bad_form(text);
  Override made;
  made.text = text;
  made.is_append = equals > 0 && text[equals - 1] == '+';
  const std::string_view path(text.data(), equals - (made.is_append ? 1 : 0));
  for (const std::string& part : split(trim(path), '.')) add_steps(part, text, made.path);
  made.value = override_value(trim(std::string_view(text).substr(equals + 1)), text);
  const auto place = std::make_shared<const std::string>("command line " + quote(text));
  mark_all(made.value, Mark{place, 0, 0});
  return made;
}

}  // namespace hearth
