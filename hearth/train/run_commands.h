// Commands of the shell that a config names, before and after a training. They run only where
// whoever started it has allowed that: a config may be a stranger's.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "hearth/experiment/options.h"

namespace hearth {

class RunCommands {
 public:
  RunCommands(const CommandOptions& options, std::string run, bool are_allowed,
              const std::function<void(const std::string&)>& notice);
  // ConfigError for one that fails.
  void run_before() const;
  // `status` is done, interrupted or failed. One that fails is only said.
  void run_after(const std::string& status) const;

 private:
  void say(const std::string& text) const;

  const CommandOptions& options_;
  std::string run_;
  bool are_allowed_;
  const std::function<void(const std::string&)>& notice_;
};

}  // namespace hearth
