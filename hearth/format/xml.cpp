// Builds the tree from expat's events. Nothing is thrown through expat: a fault stops it first.
#include "hearth/format/xml.h"

#include <expat.h>

#include <memory>
#include <new>

#include "hearth/base/error.h"
#include "hearth/base/text.h"

namespace hearth {

namespace {

class XmlBuilder {
 public:
  XmlBuilder(const std::string& what, const XmlLimits& limits)
      : what_(what), limits_(limits), parser_(XML_ParserCreate(nullptr)) {
    if (parser_ == nullptr) throw std::bad_alloc();
    XML_SetUserData(parser_.get(), this);
    XML_SetElementHandler(parser_.get(), on_start, on_end);
    XML_SetCharacterDataHandler(parser_.get(), on_text);
    XML_SetStartDoctypeDeclHandler(parser_.get(), on_doctype);
  }

  XmlElement build(std::string_view text) {
    const auto length = static_cast<int>(text.size());
    if (XML_Parse(parser_.get(), text.data(), length, 1) == XML_STATUS_ERROR) {
      if (fault_.empty()) fault_ = XML_ErrorString(XML_GetErrorCode(parser_.get()));
      throw DataError(what_ + ":" + std::to_string(line()) +
                      ": not XML that can be read: " + fault_ + ".");
    }
    return std::move(root_.children.front());
  }

 private:
  struct Delete {
    void operator()(XML_Parser parser) const { XML_ParserFree(parser); }
  };

  static XmlBuilder& self(void* data) { return *static_cast<XmlBuilder*>(data); }
  static void on_start(void* data, const XML_Char* name, const XML_Char**) {
    self(data).open(name);
  }
  static void on_end(void* data, const XML_Char*) { self(data).close(); }
  static void on_text(void* data, const XML_Char* text, int length) {
    self(data).add_text({text, static_cast<size_t>(length)});
  }
  static void on_doctype(void* data, const XML_Char*, const XML_Char*, const XML_Char*, int) {
    self(data).stop("it declares a document type, which is not read; remove it");
  }

  [[nodiscard]] int64_t line() const {
    return static_cast<int64_t>(XML_GetCurrentLineNumber(parser_.get()));
  }

  void stop(std::string fault) {
    fault_ = std::move(fault);
    (void)XML_StopParser(parser_.get(), XML_FALSE);
  }

  void open(const char* name) {
    if (!fault_.empty()) return;
    if (++elements_ > limits_.elements)
      return stop("more than " + human_count(limits_.elements) + " elements");
    if (static_cast<int>(path_.size()) >= limits_.depth)
      return stop("nested deeper than " + std::to_string(limits_.depth) + " levels");
    // Only the innermost open element gets children: those around it do not move.
    XmlElement& parent = path_.empty() ? root_ : *path_.back();
    path_.push_back(&parent.children.emplace_back(XmlElement{name, {}, line(), {}}));
  }
  void close() {
    if (path_.empty()) return;
    path_.back()->text = std::string(trim(path_.back()->text));
    path_.pop_back();
  }
  void add_text(std::string_view text) {
    if (!path_.empty()) path_.back()->text += text;
  }

  const std::string& what_;
  const XmlLimits& limits_;
  std::unique_ptr<XML_ParserStruct, Delete> parser_;
  XmlElement root_;
  std::vector<XmlElement*> path_;
  uint64_t elements_ = 0;
  std::string fault_;
};

}  // namespace

const XmlElement* XmlElement::child(std::string_view wanted) const {
  for (const XmlElement& element : children)
    if (element.name == wanted) return &element;
  return nullptr;
}

XmlElement parse_xml(std::string_view text, const std::string& what, const XmlLimits& limits) {
  if (text.size() > limits.bytes)
    throw DataError(what + ": has " + human_bytes(text.size()) + " of XML, the limit is " +
                    human_bytes(limits.bytes) + ".");
  return XmlBuilder(what, limits).build(text);
}

}  // namespace hearth
