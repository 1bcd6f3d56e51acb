// The one rule for names that become files or folders.
#include "hearth/config/file_name.h"

#include "hearth/base/text.h"

namespace hearth {
namespace {

constexpr std::string_view kFileNameLetters =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";

bool is_fit_for_file(std::string_view name) {
  return !name.empty() && name.front() != '.' && name.front() != '-' &&
         name.find_first_not_of(kFileNameLetters) == std::string_view::npos;
}

bool is_name_of_run(std::string_view name) {
  return name == "last" || name == "diverged" || name.starts_with("step-");
}

}  // namespace

std::optional<std::string> name_fault(std::string_view name, NameRule rule) {
  if (rule == NameRule::kAny) return std::nullopt;
  if (name.size() > kLongestFileName)
    return "must have at most " + std::to_string(kLongestFileName) + " characters, but has " +
           std::to_string(name.size()) + ".";
  if (!is_fit_for_file(name))
    return "must be made of letters a to z, digits, '.', '_' and '-', and start with none of '.' "
           "and '-', because it names a file, but is " +
           quote(name) + ".";
  if (rule == NameRule::kCheckpoint && is_name_of_run(name))
    return "must not be 'last', 'diverged' or start with 'step-', which are the run's own "
           "checkpoints, but "
           "is " +
           quote(name) + ".";
  return std::nullopt;
}

std::string name_pattern(NameRule rule) {
  const std::string reserved = rule == NameRule::kCheckpoint ? "(?!last$|diverged$|step-)" : "";
  return "^" + reserved + "[A-Za-z0-9_][A-Za-z0-9._-]*$";
}

}  // namespace hearth
