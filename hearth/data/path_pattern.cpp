// Named fields in paths. What fits is worked out from the end of the path to its start, so that no
// choice is ever taken back.
#include "hearth/data/path_pattern.h"

#include <algorithm>

#include "hearth/base/error.h"
#include "hearth/base/text.h"

namespace hearth {

namespace {

[[noreturn]] void throw_in_pattern(const std::string& pattern, size_t at, const std::string& what) {
  throw ConfigError("pattern " + quote(pattern) + ", column " + std::to_string(at + 1) + ": " +
                    what);
}

bool is_field_letter(char letter) {
  return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
         (letter >= '0' && letter <= '9') || letter == '_';
}

}  // namespace

PathPattern::PathPattern(const std::string& pattern) {
  for (size_t at = 0; at < pattern.size();) {
    if (pattern.compare(at, 2, "{{") == 0) {
      add_text("{");
      at += 2;
    } else if (pattern[at] == '{') {
      const size_t end = pattern.find('}', at);
      if (end == std::string::npos)
        throw_in_pattern(pattern, at, "a field starts here, but has no '}'.");
      add_braces(pattern, at, std::string_view(pattern).substr(at + 1, end - at - 1));
      at = end + 1;
    } else {
      add_text(std::string_view(pattern).substr(at++, 1));
    }
  }
  if (tokens_.empty()) throw_in_pattern(pattern, 0, "it is empty.");
}

void PathPattern::add_text(std::string_view text) {
  if (tokens_.empty() || tokens_.back().piece != Piece::kText) tokens_.emplace_back();
  tokens_.back().text += text;
}

void PathPattern::add_braces(const std::string& pattern, size_t at, std::string_view inside) {
  if (!tokens_.empty() && tokens_.back().piece != Piece::kText)
    throw_in_pattern(pattern, at,
                     "a field follows another without a text between them, so that nothing says "
                     "where the first one ends.");
  if (inside == "*" || inside == "**") {
    tokens_.push_back({inside == "*" ? Piece::kAnyName : Piece::kAnything, {}});
    return;
  }
  const size_t colon = inside.find(':');
  const std::string name(inside.substr(0, colon));
  if (name.empty() || !std::all_of(name.begin(), name.end(), is_field_letter))
    throw_in_pattern(pattern, at,
                     "a field must have a name of letters, digits and _, such as {class}, or be "
                     "{*} or {**}.");
  if (colon != std::string_view::npos && inside.substr(colon + 1) != "int")
    throw_in_pattern(
        pattern, at + colon + 2,
        quote(inside.substr(colon + 1)) + " is no kind of field. Known: int, or none for a text.");
  const bool is_known = std::any_of(fields_.begin(), fields_.end(),
                                    [&](const Field& field) { return field.name == name; });
  if (is_known) throw_in_pattern(pattern, at, "the field " + quote(name) + " stands here again.");
  const bool is_int = colon != std::string_view::npos;
  fields_.push_back({name, is_int});
  tokens_.push_back({is_int ? Piece::kDigits : Piece::kField, {}});
}

// fits[token * (length + 1) + at]: whether the tokens from this one on fit the path from `at` on.
void PathPattern::fill(std::string_view path, std::vector<uint8_t>& fits) const {
  const size_t row = path.size() + 1;
  fits.assign((tokens_.size() + 1) * row, 0);
  fits[tokens_.size() * row + path.size()] = 1;
  for (size_t t = tokens_.size(); t-- > 0;) {
    const Token& token = tokens_[t];
    uint8_t* const here = fits.data() + t * row;
    const uint8_t* const next = here + row;
    for (size_t at = row; at-- > 0;) {
      if (token.piece == Piece::kText) {
        here[at] = path.substr(at).starts_with(token.text) && next[at + token.text.size()] != 0;
        continue;
      }
      const bool may_be_empty = token.piece == Piece::kAnyName || token.piece == Piece::kAnything;
      here[at] = may_be_empty && next[at] != 0;
      if (at == path.size() || here[at] != 0) continue;
      const bool is_allowed = token.piece == Piece::kDigits
                                  ? path[at] >= '0' && path[at] <= '9'
                                  : token.piece == Piece::kAnything || path[at] != '/';
      here[at] = is_allowed && (next[at + 1] != 0 || here[at + 1] != 0);
    }
  }
}

bool PathPattern::match(std::string_view path, std::vector<std::string_view>& values,
                        std::vector<uint8_t>& work) const {
  values.clear();
  fill(path, work);
  if (work[0] == 0) return false;
  const size_t row = path.size() + 1;
  size_t at = 0;
  for (size_t t = 0; t < tokens_.size(); ++t) {
    const Token& token = tokens_[t];
    const uint8_t* const next = work.data() + (t + 1) * row;
    const size_t begin = at;
    const bool is_field = token.piece == Piece::kField || token.piece == Piece::kDigits;
    at += token.piece == Piece::kText ? token.text.size() : is_field ? 1 : 0;
    while (next[at] == 0) ++at;
    if (is_field) values.push_back(path.substr(begin, at - begin));
  }
  return true;
}

}  // namespace hearth
