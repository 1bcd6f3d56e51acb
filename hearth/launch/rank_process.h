// A rank as a process of this host.
#pragma once

#include <sys/types.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace hearth {

// Set for a rank: the process that started it. What the rank itself starts inherits the variable,
// but has another parent, and is no rank.
inline constexpr const char* kLauncherVariable = "HEARTH_LAUNCHER";
[[nodiscard]] bool is_launched_rank();

struct RankCommand {
  std::vector<std::string> words;                // the program's path first
  std::map<std::string, std::string> variables;  // besides our own
  std::vector<int> cores;                        // it runs on no others; empty: as we do
  std::string log;                               // where its output goes; empty: where ours does
};

class RankProcess {
 public:
  // In a process group of its own, so that Ctrl-C reaches it through us alone, and not twice.
  explicit RankProcess(const RankCommand& command);

  // How it ended, when it has: an exit code, or 128 and the signal.
  [[nodiscard]] std::optional<int> look();
  [[nodiscard]] std::optional<int> exit_code() const { return exit_code_; }
  [[nodiscard]] pid_t number() const { return number_; }
  void send(int signal) const;

 private:
  pid_t number_;
  std::optional<int> exit_code_;
};

// "ended with 3", "was killed (signal 9)".
[[nodiscard]] std::string end_text(int exit_code);

}  // namespace hearth
