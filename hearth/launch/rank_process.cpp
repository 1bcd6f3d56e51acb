// A rank as a process of this host.
#include "hearth/launch/rank_process.h"

#include <fcntl.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <string>

#include "hearth/base/error.h"

namespace hearth {
namespace {

constexpr int kSignalCode = 128;
constexpr int kNotStarted = 127;

// Only what is safe between fork and exec, in a program without other threads.
[[noreturn]] void become(const RankCommand& command, int log, pid_t parent) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);  // a rank does not outlive its launcher
  if (::getppid() != parent) ::_exit(kNotStarted);
  cpu_set_t set;
  CPU_ZERO(&set);
  for (const int core : command.cores) CPU_SET(core, &set);
  if (!command.cores.empty()) ::sched_setaffinity(0, sizeof set, &set);
  for (const auto& [name, value] : command.variables) ::setenv(name.c_str(), value.c_str(), 1);
  ::setenv(kLauncherVariable, std::to_string(parent).c_str(), 1);
  if (log >= 0) {
    ::dup2(log, STDOUT_FILENO);
    ::dup2(log, STDERR_FILENO);
  }
  for (const int signal : {SIGINT, SIGTERM, SIGUSR1, SIGHUP}) std::signal(signal, SIG_DFL);
  std::vector<char*> words;
  for (const std::string& word : command.words) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  ::execv(words[0], words.data());
  ::_exit(kNotStarted);
}

int open_log(const std::string& path) {
  if (path.empty()) return -1;
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (file < 0) throw DataError(path + " cannot be written: " + std::strerror(errno) + ".");
  return file;
}

}  // namespace

bool is_launched_rank() {
  const char* launcher = std::getenv(kLauncherVariable);
  return launcher != nullptr && launcher == std::to_string(::getppid());
}

RankProcess::RankProcess(const RankCommand& command) {
  const int log = open_log(command.log);
  const pid_t parent = ::getpid();
  number_ = ::fork();
  if (number_ == 0) become(command, log, parent);
  if (log >= 0) ::close(log);
  if (number_ < 0)
    throw DataError("No process can be started for a rank: " + std::string(std::strerror(errno)));
}

std::optional<int> RankProcess::look() {
  int status = 0;
  if (!exit_code_ && ::waitpid(number_, &status, WNOHANG) == number_)
    exit_code_ = WIFEXITED(status) ? WEXITSTATUS(status) : kSignalCode + WTERMSIG(status);
  return exit_code_;
}

void RankProcess::send(int signal) const {
  if (!exit_code_) ::kill(number_, signal);
}

std::string end_text(int exit_code) {
  if (exit_code == kNotStarted) return "could not be started";
  if (exit_code > kSignalCode)
    return "was ended by a signal (" + std::to_string(exit_code - kSignalCode) + ", " +
           ::strsignal(exit_code - kSignalCode) + ")";
  return "ended with " + std::to_string(exit_code);
}

}  // namespace hearth
