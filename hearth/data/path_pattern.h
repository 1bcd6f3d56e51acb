// Named fields in paths: `{split}/{class}/{id}_c{camera:int}_{*}.jpg`.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hearth {

// {name} is one or more characters within a folder or file name, {name:int} one or more digits,
// {*} any characters within a name, also none, {**} any characters, also over several folders. All
// else stands for itself; `{{` is a brace.
class PathPattern {
 public:
  struct Field {
    std::string name;
    bool is_int = false;
  };

  // ConfigError names the column of what is wrong.
  explicit PathPattern(const std::string& pattern);

  [[nodiscard]] const std::vector<Field>& fields() const { return fields_; }
  // Whether the whole path fits; then `values` holds a text for each field, each as short as it can
  // be, the first ones first. Takes time in proportion to the length of the path. `work` is memory
  // that is kept from call to call.
  [[nodiscard]] bool match(std::string_view path, std::vector<std::string_view>& values,
                           std::vector<uint8_t>& work) const;

 private:
  enum class Piece : uint8_t { kText, kField, kDigits, kAnyName, kAnything };
  struct Token {
    Piece piece = Piece::kText;
    std::string text;
  };

  void add_braces(const std::string& pattern, size_t at, std::string_view inside);
  void add_text(std::string_view text);
  void fill(std::string_view path, std::vector<uint8_t>& fits) const;

  std::vector<Token> tokens_;
  std::vector<Field> fields_;
};

}  // namespace hearth
