// Variables of the environment.
#include "hearth/launch/environment.h"

#include <unistd.h>

#include <limits>

#include "hearth/base/error.h"
#include "hearth/base/text.h"

namespace hearth {

Environment Environment::of_process() {
  std::map<std::string, std::string> variables;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string text = *entry;
    const size_t equals = text.find('=');
    if (equals != std::string::npos) variables[text.substr(0, equals)] = text.substr(equals + 1);
  }
  return Environment(std::move(variables));
}

Environment::Environment(std::map<std::string, std::string> variables)
    : variables_(std::move(variables)) {}

bool Environment::has(const std::string& name) const { return !text(name).empty(); }

std::string Environment::text(const std::string& name, const std::string& otherwise) const {
  const auto found = variables_.find(name);
  return found == variables_.end() || found->second.empty() ? otherwise : found->second;
}

int Environment::number(const std::string& name) const {
  if (!has(name)) throw ConfigError("The variable " + name + " is missing.");
  const std::optional<int64_t> value = read_integer(text(name));
  if (!value || *value < 0 || *value > std::numeric_limits<int>::max())
    throw ConfigError("The variable " + shown(name) + " must be a whole number from 0 on.");
  return static_cast<int>(*value);
}

int Environment::number(const std::string& name, int otherwise) const {
  return has(name) ? number(name) : otherwise;
}

std::string Environment::shown(const std::string& name) const {
  return has(name) ? name + "=" + shell_word(text(name)) : name + " (not set)";
}

std::string Environment::all_shown(const std::vector<std::string>& names) const {
  std::vector<std::string> all;
  for (const std::string& name : names) all.push_back(shown(name));
  return join(all, ", ");
}

}  // namespace hearth
