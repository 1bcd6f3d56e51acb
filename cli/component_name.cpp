// Which names a new component may have.
#include "cli/component_name.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

#include "hearth/base/error.h"
#include "hearth/base/files.h"
#include "hearth/base/text.h"

namespace hearth::cli {
namespace {

// Of C++20, in alphabetical order; those with capital letters or leading underscores are left out.
constexpr std::array<std::string_view, 92> kKeywords = {
    "alignas",       "alignof",     "and",
    "and_eq",        "asm",         "auto",
    "bitand",        "bitor",       "bool",
    "break",         "case",        "catch",
    "char",          "char16_t",    "char32_t",
    "char8_t",       "class",       "co_await",
    "co_return",     "co_yield",    "compl",
    "concept",       "const",       "const_cast",
    "consteval",     "constexpr",   "constinit",
    "continue",      "decltype",    "default",
    "delete",        "do",          "double",
    "dynamic_cast",  "else",        "enum",
    "explicit",      "export",      "extern",
    "false",         "float",       "for",
    "friend",        "goto",        "if",
    "inline",        "int",         "long",
    "mutable",       "namespace",   "new",
    "noexcept",      "not",         "not_eq",
    "nullptr",       "operator",    "or",
    "or_eq",         "private",     "protected",
    "public",        "register",    "reinterpret_cast",
    "requires",      "return",      "short",
    "signed",        "sizeof",      "static",
    "static_assert", "static_cast", "struct",
    "switch",        "template",    "this",
    "thread_local",  "throw",       "true",
    "try",           "typedef",     "typeid",
    "typename",      "union",       "unsigned",
    "using",         "virtual",     "void",
    "volatile",      "wchar_t",     "while",
    "xor",           "xor_eq"};
// Macros of the system's headers, which would take a function of their name apart.
constexpr std::array<std::string_view, 8> kMacros = {"assert", "errno", "linux",  "offsetof",
                                                     "stderr", "stdin", "stdout", "unix"};
// Files with such names are tests, fuzzers, headers that are not installed, or code for some
// processors only.
constexpr std::array<std::string_view, 5> kSpecialEndings = {"_test", "_fuzz", "_internal", "_avx2",
                                                             "_avx512"};

bool is_lower(char letter) { return letter >= 'a' && letter <= 'z'; }
bool is_digit(char letter) { return letter >= '0' && letter <= '9'; }

bool is_snake_case(const std::string& name) {
  return !name.empty() && is_lower(name.front()) &&
         std::all_of(name.begin(), name.end(), [](char letter) {
           return is_lower(letter) || is_digit(letter) || letter == '_';
         });
}

[[noreturn]] void refuse(const std::string& name, const std::string& reason) {
  throw ConfigError("The name " + quote(name) + " " + reason);
}

}  // namespace

std::string type_name(const std::string& name) {
  std::string type;
  for (const std::string& word : split(name, '_'))
    if (!word.empty()) type += static_cast<char>(std::toupper(word.front())) + word.substr(1);
  return type;
}

void require_good_name(const std::string& name) {
  if (!is_snake_case(name))
    refuse(name, "must be lower-case letters, digits and underscores, such as random_crop.");
  const auto is_in = [&name](const auto& words) {
    return std::find(words.begin(), words.end(), name) != words.end();
  };
  if (is_in(kKeywords) || is_in(kMacros))
    refuse(name, "is a word of C++; choose another, such as my_" + name + ".");
  if (name.find("__") != name.npos || name.ends_with('_'))
    refuse(name, "has an underscore too many; put one between two words, such as random_crop.");
  for (const std::string_view ending : kSpecialEndings)
    if (name.ends_with(ending))
      refuse(name, "ends with " + quote(ending) +
                       ", which the build takes for another sort of file; choose another ending.");
}

void require_free_name(const std::string& kind, const std::string& name, const Catalog& catalog,
                       const std::filesystem::path& type_names) {
  const KindInfo* known = catalog.kind(kind);
  if (known != nullptr && known->find(name) != nullptr)
    refuse(name, "is taken: there is a " + kind +
                     " of that name. Choose another, or look at it: hearth docs " + name);
  const std::vector<std::string> taken = split(read_file(type_names), '\n');
  for (const std::string& type : {type_name(name), type_name(name) + "Options"})
    if (std::find(taken.begin(), taken.end(), type) != taken.end())
      refuse(name,
             "is taken: Hearth has a type " + type + ". Choose another, such as my_" + name + ".");
}

}  // namespace hearth::cli
