// YAML text to Node, event by event, with every limit checked before the memory is spent.
#include <yaml.h>

#include <algorithm>
#include <map>
#include <memory>
#include <new>
#include <optional>
#include <unordered_map>

#include "hearth/base/error.h"
#include "hearth/base/files.h"
#include "hearth/base/text.h"
#include "hearth/config/yaml.h"

namespace hearth {
namespace {

struct YamlEventDelete {
  void operator()(yaml_event_t* event) const {
    yaml_event_delete(event);
    delete event;
  }
};
using YamlEvent = std::unique_ptr<yaml_event_t, YamlEventDelete>;

// A value and what it costs each time an alias repeats it.
struct YamlValue {
  Node node;
  int nodes = 1;
  int height = 1;
  uint64_t bytes = 0;
};

constexpr std::string_view kYamlTagPrefix = "tag:yaml.org,2002:";

std::string_view yaml_text(const yaml_char_t* text) {
  return text ? std::string_view(reinterpret_cast<const char*>(text)) : std::string_view();
}

bool is_null_word(std::string_view text) { return text.empty() || text == "~" || text == "null"; }

class YamlReader {
 public:
  YamlReader(std::string_view text, const std::string& file_name, const YamlLimits& limits)
      : text_(text), file_(std::make_shared<const std::string>(file_name)), limits_(limits) {
    if (yaml_parser_initialize(&parser_) == 0) throw std::bad_alloc();
    const auto* bytes = reinterpret_cast<const unsigned char*>(text.data());
    yaml_parser_set_input_string(&parser_, bytes, text.size());
    yaml_parser_set_encoding(&parser_, YAML_UTF8_ENCODING);
  }
  YamlReader(const YamlReader&) = delete;
  YamlReader& operator=(const YamlReader&) = delete;
  ~YamlReader() { yaml_parser_delete(&parser_); }

  Node document() {
    next();  // the stream's start
    if (next()->type == YAML_STREAM_END_EVENT) return Node::map({}, Mark{file_, 1, 1});
    Node root = value(next(), 1).node;
    next();  // the document's end
    const YamlEvent end = next();
    if (end->type != YAML_STREAM_END_EVENT)
      fail(mark(*end), "a second document starts here, but a config is one document.");
    return root.is_null() ? Node::map({}, root.mark()) : root;
  }

 private:
  [[noreturn]] static void fail(const Mark& mark, const std::string& message) {
    throw ConfigError(mark.prefix() + message);
  }
  Mark mark(const yaml_mark_t& at) const {
    return {file_, static_cast<int>(at.line) + 1, static_cast<int>(at.column) + 1};
  }
  Mark mark(const yaml_event_t& event) const { return mark(event.start_mark); }

  // The place of a byte, for faults that libyaml meets before it counts lines.
  Mark mark_of_byte(size_t offset) const {
    const std::string_view before = text_.substr(0, std::min(offset, text_.size()));
    const auto lines = std::count(before.begin(), before.end(), '\n');
    const std::string_view line = before.substr(before.rfind('\n') + 1);
    const auto characters = std::count_if(
        line.begin(), line.end(), [](unsigned char byte) { return (byte & 0xC0U) != 0x80U; });
    return {file_, static_cast<int>(lines) + 1, static_cast<int>(characters) + 1};
  }

  char character_at(size_t index) const {
    for (const char byte : text_) {
      const bool is_start = (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U;
      if (is_start && index-- == 0) return byte;
    }
    return '\0';
  }

  // What was open when the parser stopped; an unclosed bracket shows only at the file's end.
  std::string parser_context() const {
    const bool is_elsewhere = parser_.context_mark.line != parser_.problem_mark.line;
    return parser_.context +
           (is_elsewhere ? " from line " + std::to_string(parser_.context_mark.line + 1) : "");
  }

  [[noreturn]] void fail_as_parser() const {
    if (parser_.error == YAML_MEMORY_ERROR) throw std::bad_alloc();
    const bool is_byte = parser_.error == YAML_READER_ERROR;
    const Mark place = is_byte ? mark_of_byte(parser_.problem_offset) : mark(parser_.problem_mark);
    std::string message = "not valid YAML: " + std::string(parser_.problem);
    if (!is_byte && parser_.context) message += " (" + parser_context() + ")";
    const bool is_tab = !is_byte && character_at(parser_.problem_mark.index) == '\t';
    fail(place, message + (is_tab ? ". Indent with spaces, not with tabs." : "."));
  }

  YamlEvent next() {
    auto raw = std::make_unique<yaml_event_t>();
    if (yaml_parser_parse(&parser_, raw.get()) == 0) fail_as_parser();
    return YamlEvent(raw.release());
  }

  void spend(const YamlValue& cost, const Mark& place) {
    nodes_ += cost.nodes;
    bytes_ += cost.bytes;
    if (nodes_ > limits_.nodes)
      fail(place, "more than " + human_count(static_cast<uint64_t>(limits_.nodes)) +
                      " values (after aliases are expanded).");
    if (bytes_ > limits_.bytes)
      fail(place,
           "more than " + human_bytes(limits_.bytes) + " of text (after aliases are expanded).");
  }

  void check_depth(int depth, const Mark& place) const {
    if (depth > limits_.depth)
      fail(place, "nested deeper than " + std::to_string(limits_.depth) + " levels.");
  }

  void check_tag(std::string_view tag, std::initializer_list<std::string_view> allowed,
                 const Mark& place) const {
    if (tag.empty()) return;
    const bool is_core = tag.starts_with(kYamlTagPrefix);
    const std::string_view name = is_core ? tag.substr(kYamlTagPrefix.size()) : tag;
    if (is_core && std::find(allowed.begin(), allowed.end(), name) != allowed.end()) return;
    fail(place, "the tag " + quote((is_core ? "!!" : "") + std::string(name)) +
                    " is not supported here. Text that starts with '!' needs quotes.");
  }

  YamlValue value(const YamlEvent& event, int depth) {
    check_depth(depth, mark(*event));
    switch (event->type) {
      case YAML_ALIAS_EVENT:
        return alias(*event, depth);
      case YAML_SCALAR_EVENT:
        return scalar(*event);
      case YAML_SEQUENCE_START_EVENT:
        return list(*event, depth);
      case YAML_MAPPING_START_EVENT:
        return map(*event, depth);
      default:
        throw InternalError(mark(*event).prefix() + "unexpected YAML event.");
    }
  }

  YamlValue alias(const yaml_event_t& event, int depth) {
    const std::string name(yaml_text(event.data.alias.anchor));
    const auto known = anchors_.find(name);
    if (known == anchors_.end())
      fail(mark(event), "the alias '*" + name + "' has no anchor '&" + name + "' before it.");
    if (!known->second)
      fail(mark(event), "the alias '*" + name + "' stands inside the value that it names.");
    check_depth(depth + known->second->height - 1, mark(event));
    spend(*known->second, mark(event));
    return *known->second;
  }

  YamlValue scalar(const yaml_event_t& event) {
    const auto& raw = event.data.scalar;
    const std::string_view tag = yaml_text(raw.tag);
    check_tag(tag, {"str", "int", "float", "bool", "null"}, mark(event));
    YamlValue made;
    const std::string text = checked_text(event);
    made.bytes = text.size();
    const bool is_plain = raw.style == YAML_PLAIN_SCALAR_STYLE && !tag.ends_with(":str");
    made.node = Node::scalar(text, mark(event), !is_plain);
    if (tag.ends_with(":null") || (is_plain && is_null_word(text))) {
      made.node = Node();
      made.node.set_mark(mark(event));
    }
    spend(made, mark(event));
    remember(raw.anchor, made);
    return made;
  }

  std::string checked_text(const yaml_event_t& event) const {
    const auto& raw = event.data.scalar;
    std::string text(reinterpret_cast<const char*>(raw.value), raw.length);
    if (text.find('\0') != std::string::npos)
      fail(mark(event), "a text may not hold the character NUL.");
    return text;
  }

  YamlValue list(const yaml_event_t& event, int depth) {
    const auto& raw = event.data.sequence_start;
    check_tag(yaml_text(raw.tag), {"seq"}, mark(event));
    YamlValue made = start(raw.anchor, Node::list({}, mark(event)));
    for (YamlEvent item = next(); item->type != YAML_SEQUENCE_END_EVENT; item = next()) {
      YamlValue inner = value(item, depth + 1);
      contain(made, inner);
      made.node.items().push_back(std::move(inner.node));
    }
    remember(raw.anchor, made);
    return made;
  }

  YamlValue map(const yaml_event_t& event, int depth) {
    const auto& raw = event.data.mapping_start;
    check_tag(yaml_text(raw.tag), {"map"}, mark(event));
    YamlValue made = start(raw.anchor, Node::map({}, mark(event)));
    std::unordered_map<std::string, int> lines;
    for (YamlEvent name = next(); name->type != YAML_MAPPING_END_EVENT; name = next()) {
      std::string text = key(*name);
      const auto [known, is_new] = lines.emplace(text, mark(*name).line);
      if (!is_new)
        fail(mark(*name), "the key " + quote(text) + " was already given in line " +
                              std::to_string(known->second) + ".");
      YamlValue inner = value(next(), depth + 1);
      inner.bytes += text.size();
      contain(made, inner);
      made.node.entries().push_back({std::move(text), mark(*name), std::move(inner.node)});
    }
    remember(raw.anchor, made);
    return made;
  }

  std::string key(const yaml_event_t& event) {
    if (event.type != YAML_SCALAR_EVENT)
      fail(mark(event), "a key must be a text, but this one is " +
                            std::string(event.type == YAML_ALIAS_EVENT           ? "an alias"
                                        : event.type == YAML_MAPPING_START_EVENT ? "a map"
                                                                                 : "a list") +
                            ".");
    const auto& raw = event.data.scalar;
    check_tag(yaml_text(raw.tag), {"str", "int", "float", "bool", "null"}, mark(event));
    std::string text = checked_text(event);
    const bool is_plain = raw.style == YAML_PLAIN_SCALAR_STYLE;
    if (is_plain && text.empty()) fail(mark(event), "a key is missing before ':'.");
    if (is_plain && text == "<<")
      fail(mark(event),
           "the merge key '<<' is not supported. Write the options out, or use an alias for the "
           "whole value.");
    remember(raw.anchor, {Node::scalar(text, mark(event), !is_plain), 1, 1, text.size()});
    return text;
  }

  YamlValue start(const yaml_char_t* anchor, Node node) {
    if (anchor) anchors_[std::string(yaml_text(anchor))].reset();
    YamlValue made;
    made.node = std::move(node);
    spend(made, made.node.mark());
    return made;
  }

  static void contain(YamlValue& outer, const YamlValue& inner) {
    outer.nodes += inner.nodes;
    outer.bytes += inner.bytes;
    outer.height = std::max(outer.height, inner.height + 1);
  }

  void remember(const yaml_char_t* anchor, const YamlValue& made) {
    if (anchor) anchors_[std::string(yaml_text(anchor))] = made;
  }

  std::string_view text_;
  std::shared_ptr<const std::string> file_;
  YamlLimits limits_;
  yaml_parser_t parser_{};
  // Nothing while the anchored value is being read: an alias to it then would be a cycle.
  std::map<std::string, std::optional<YamlValue>> anchors_;
  int nodes_ = 0;
  uint64_t bytes_ = 0;
};

}  // namespace

Node parse_yaml(std::string_view text, const std::string& file_name, const YamlLimits& limits) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (text.size() > limits.bytes)
    throw ConfigError(file_name + ": has " + human_bytes(text.size()) + ", but a config may have " +
                      human_bytes(limits.bytes) + " at most.");
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  return YamlReader(text, file_name, limits).document();
}

Node load_yaml(const std::filesystem::path& path, const YamlLimits& limits) {
  try {
    return parse_yaml(read_file(path, limits.bytes), path.string(), limits);
  } catch (const DataError& error) {
    throw ConfigError(error.what());
  }
}

}  // namespace hearth
