// Variables of the environment, the process's or a test's.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace hearth {

class Environment {
 public:
  [[nodiscard]] static Environment of_process();
  explicit Environment(std::map<std::string, std::string> variables);

  // Empty variables count as not set.
  [[nodiscard]] bool has(const std::string& name) const;
  [[nodiscard]] std::string text(const std::string& name, const std::string& otherwise = "") const;
  // A whole number from 0 on; a ConfigError names the variable that is none, or is missing.
  [[nodiscard]] int number(const std::string& name) const;
  [[nodiscard]] int number(const std::string& name, int otherwise) const;
  // "RANK=0", or "RANK (not set)".
  [[nodiscard]] std::string shown(const std::string& name) const;
  [[nodiscard]] std::string all_shown(const std::vector<std::string>& names) const;

 private:
  std::map<std::string, std::string> variables_;
};

}  // namespace hearth
