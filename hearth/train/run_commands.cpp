// Commands of the shell that a config names, before and after a training.
#include "hearth/train/run_commands.h"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstring>

#include "hearth/base/error.h"
#include "hearth/base/text.h"

extern char** environ;  // NOLINT: POSIX has it so

namespace hearth {
namespace {

// This process's environment with some variables more, for as long as it lives.
class Environment {
 public:
  explicit Environment(std::vector<std::string> more) : own_(std::move(more)) {
    for (char** each = environ; *each != nullptr; ++each)
      if (!is_replaced(*each)) all_.push_back(*each);
    for (std::string& each : own_) all_.push_back(each.data());
    all_.push_back(nullptr);
  }
  [[nodiscard]] char** data() { return all_.data(); }

 private:
  [[nodiscard]] bool is_replaced(const std::string& variable) const {
    for (const std::string& each : own_)
      if (variable.starts_with(each.substr(0, each.find('=') + 1))) return true;
    return false;
  }
  std::vector<std::string> own_;
  std::vector<char*> all_;
};

// How a command begins: signals that this process leaves alone end it as usual, and what it says
// goes to standard error, since standard output is for results.
class Beginning {
 public:
  Beginning() {
    posix_spawn_file_actions_init(&files_);
    posix_spawn_file_actions_adddup2(&files_, STDERR_FILENO, STDOUT_FILENO);
    sigset_t usual{};
    sigemptyset(&usual);
    for (const int signal : {SIGPIPE, SIGXFSZ}) sigaddset(&usual, signal);
    posix_spawnattr_init(&attributes_);
    posix_spawnattr_setsigdefault(&attributes_, &usual);
    posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSIGDEF);
  }
  ~Beginning() {
    posix_spawnattr_destroy(&attributes_);
    posix_spawn_file_actions_destroy(&files_);
  }
  Beginning(const Beginning&) = delete;
  Beginning& operator=(const Beginning&) = delete;
  // 0, or the number of an error.
  [[nodiscard]] int spawn(pid_t& child, char** words, char** environment) const {
    return posix_spawn(&child, words[0], &files_, &attributes_, words, environment);
  }

 private:
  posix_spawnattr_t attributes_{};
  posix_spawn_file_actions_t files_{};
};

// Nothing when it ended well; else how it ended.
std::string fault_of(const std::string& command, Environment& environment) {
  std::string shell = "/bin/sh";
  std::string option = "-c";
  std::string text = command;
  char* words[] = {shell.data(), option.data(), text.data(), nullptr};
  pid_t child = 0;
  if (const int error = Beginning().spawn(child, words, environment.data()))
    return std::string("cannot be started: ") + std::strerror(error);  // NOLINT: one thread
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return "cannot be waited for";
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return "";
  return WIFEXITED(status) ? "ended with code " + std::to_string(WEXITSTATUS(status))
                           : "was ended by signal " + std::to_string(WTERMSIG(status));
}

}  // namespace

RunCommands::RunCommands(const CommandOptions& options, std::string run, bool are_allowed,
                         const std::function<void(const std::string&)>& notice)
    : options_(options), run_(std::move(run)), are_allowed_(are_allowed), notice_(notice) {}

void RunCommands::say(const std::string& text) const {
  if (notice_) notice_(text);
}

void RunCommands::run_before() const {
  if (!are_allowed_) {
    if (!options_.before.empty() || !options_.after.empty())
      say("train.commands are not run. Where you trust the config: hearth train --allow-commands.");
    return;
  }
  Environment environment({"HEARTH_RUN=" + run_, "HEARTH_STATUS=begin"});
  for (const std::string& command : options_.before)
    if (const std::string fault = fault_of(command, environment); !fault.empty())
      throw ConfigError("train.commands.before: " + quote(command) + " " + fault +
                        ", so that nothing was trained.");
}

void RunCommands::run_after(const std::string& status) const {
  if (!are_allowed_) return;
  Environment environment({"HEARTH_RUN=" + run_, "HEARTH_STATUS=" + status});
  for (const std::string& command : options_.after)
    if (const std::string fault = fault_of(command, environment); !fault.empty())
      say("train.commands.after: " + quote(command) + " " + fault + ".");
}

}  // namespace hearth
