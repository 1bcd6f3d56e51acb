// Builds a JSON value from nlohmann's parse events, which is where limits and duplicates can be
// seen.
#include "hearth/format/json.h"

#include <iterator>
#include <vector>

#include "hearth/base/error.h"
#include "hearth/base/text.h"

namespace hearth {

namespace {

[[noreturn]] void throw_json_error(const std::string& what, uint64_t byte,
                                   const std::string& reason) {
  throw DataError(what + ": byte " + std::to_string(byte) + ": " + reason + ".");
}

// Tells how far the parser has read: its events do not say where they are.
class JsonCursor {
 public:
  using iterator_category = std::forward_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  JsonCursor() = default;
  JsonCursor(const char* at, const char** latest) : at_(at), latest_(latest) {}
  reference operator*() const { return *at_; }
  JsonCursor& operator++() {
    *latest_ = ++at_;
    return *this;
  }
  JsonCursor operator++(int) {
    JsonCursor before = *this;
    ++*this;
    return before;
  }
  bool operator==(const JsonCursor& other) const { return at_ == other.at_; }

 private:
  const char* at_ = nullptr;
  const char** latest_ = nullptr;
};

class JsonBuilder : public nlohmann::json_sax<nlohmann::json> {
 public:
  JsonBuilder(std::string_view text, const std::string& what, const JsonLimits& limits,
              const JsonVisit* visit = nullptr)
      : text_(text), what_(what), limits_(limits), visit_(visit), latest_(text.data()) {}

  nlohmann::json build() {
    nlohmann::json::sax_parse(JsonCursor(text_.data(), &latest_),
                              JsonCursor(text_.data() + text_.size(), &latest_), this);
    return std::move(root_);
  }

  bool null() override { return add(nullptr); }
  bool boolean(bool value) override { return add(value); }
  bool number_integer(number_integer_t value) override { return add(value); }
  bool number_unsigned(number_unsigned_t value) override { return add(value); }
  bool number_float(number_float_t value, const string_t&) override { return add(value); }
  bool string(string_t& value) override { return add(std::move(value)); }
  bool binary(binary_t&) override { return false; }  // not in text
  bool start_object(std::size_t) override { return open(nlohmann::json::object()); }
  bool start_array(std::size_t) override { return open(nlohmann::json::array()); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }

  bool key(string_t& name) override {
    const auto [place, is_new] = open_.back()->get_ref<object_t&>().try_emplace(std::move(name));
    if (!is_new) fail("the key " + quote(place->first) + " is there twice");
    member_ = &place->second;
    if (open_.size() == 1) outer_key_ = place->first;
    return true;
  }

  bool parse_error(std::size_t, const std::string&,
                   const nlohmann::json::exception& error) override {
    // "[json.exception.parse_error.101] parse error at line 1, column 2: reason; last read: '...'"
    std::string reason = error.what();
    if (const size_t place = reason.find("column "); place != reason.npos)
      reason.erase(0, reason.find(": ", place) + 2);
    reason.erase(std::min(reason.size(), reason.find("; last read")));
    fail("not valid JSON: " + reason);
  }

 private:
  using object_t = nlohmann::json::object_t;

  [[noreturn]] void fail(const std::string& reason) const {
    throw_json_error(what_, static_cast<uint64_t>(latest_ - text_.data()), reason);
  }

  nlohmann::json* place(nlohmann::json value) {
    if (++values_ > limits_.values) fail("more than " + human_count(limits_.values) + " values");
    nlohmann::json* target = &root_;
    if (!open_.empty() && open_.back()->is_array())
      target = &open_.back()->emplace_back();
    else if (!open_.empty())
      target = member_;
    *target = std::move(value);
    return target;
  }

  bool add(nlohmann::json value) {
    place(std::move(value));
    show();
    return true;
  }

  // Hands out what was just finished, if somebody waits for it, and forgets it.
  void show() {
    if (visit_ == nullptr) return;
    if (open_.size() == 2 && open_.back()->is_array()) {
      (*visit_)(outer_key_, open_.back()->back());
      open_.back()->get_ref<nlohmann::json::array_t&>().pop_back();
    } else if (open_.size() == 1 && open_.back()->is_object() && !member_->is_array()) {
      (*visit_)(outer_key_, *member_);
      *member_ = nullptr;
    }
  }

  bool open(nlohmann::json value) {
    if (open_.size() >= static_cast<size_t>(limits_.depth))
      fail("nested deeper than " + std::to_string(limits_.depth) + " levels");
    open_.push_back(place(std::move(value)));
    return true;
  }

  bool close() {
    member_ = open_.back();
    open_.pop_back();
    show();
    return true;
  }

  std::string_view text_;
  const std::string& what_;
  const JsonLimits& limits_;
  const JsonVisit* visit_;
  const char* latest_;
  uint64_t values_ = 0;
  std::string outer_key_;
  nlohmann::json root_;
  std::vector<nlohmann::json*> open_;  // containers around the current value, outermost first
  nlohmann::json* member_ = nullptr;   // where the value of the last key goes
};

// What the parser would let pass.
void check_json_text(std::string_view text, const std::string& what, const JsonLimits& limits) {
  if (text.size() > limits.bytes) {
    throw DataError(what + ": has " + human_bytes(text.size()) + " of JSON, the limit is " +
                    human_bytes(limits.bytes) + ".");
  }
  // The parser would skip a byte order mark, and take a NUL for the end of the text.
  if (text.starts_with("\xef\xbb\xbf")) throw_json_error(what, 0, "a byte order mark");
  if (const size_t zero = text.find('\0'); zero != text.npos)
    throw_json_error(what, zero, "a NUL byte");
}

}  // namespace

nlohmann::json parse_json(std::string_view text, const std::string& what,
                          const JsonLimits& limits) {
  check_json_text(text, what, limits);
  return JsonBuilder(text, what, limits).build();
}

void visit_json(std::string_view text, const std::string& what, const JsonVisit& visit,
                const JsonLimits& limits) {
  check_json_text(text, what, limits);
  if (!JsonBuilder(text, what, limits, &visit).build().is_object())
    throw_json_error(what, 0, "expected an object, {...}");
}

}  // namespace hearth
