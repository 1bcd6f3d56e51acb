// Modes by name.
#include "hearth/config/mode.h"

namespace hearth {

std::string_view name(Mode mode) {
  switch (mode) {
    case Mode::kTrain:
      return "train";
    case Mode::kEval:
      return "eval";
    case Mode::kTest:
      return "test";
    case Mode::kInfer:
      return "infer";
  }
  return "";
}

std::optional<Mode> mode_from(std::string_view word) {
  for (Mode mode : kAllModes)
    if (name(mode) == word) return mode;
  return std::nullopt;
}

std::vector<std::string> Modes::names() const {
  std::vector<std::string> names;
  for (Mode mode : kAllModes)
    if (has(mode)) names.emplace_back(name(mode));
  return names;
}

std::optional<Modes> Modes::from(std::string_view word) {
  const bool is_negated = word.starts_with('!');
  const std::optional<Mode> named = mode_from(is_negated ? word.substr(1) : word);
  if (!named) return std::nullopt;
  if (!is_negated) return Modes(*named);
  Modes others;
  for (Mode mode : kAllModes)
    if (mode != *named) others.add(mode);
  return others;
}

}  // namespace hearth
