// The ranks of this host from their start to the end of the last one.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace hearth {

struct LaunchOptions {
  std::vector<std::string> words;  // what each rank runs: the program's path first
  int ranks = 1;                   // on this host
  int hosts = 1;
  int host_index = 0;
  std::string store;   // HOST:PORT where ranks meet
  std::string secret;  // what ranks prove to know
  std::string logs;    // folder of the ranks' output
  std::string attempt = "0";
  std::string run_file;  // where rank 0 writes the folder of its run
  bool pins = true;
  // For the others to end by themselves, once one of them has named who is gone.
  std::chrono::milliseconds grace{4000};
  std::function<void(const std::string&)> say;
  // Asked while they run: why they should save and end, to begin again with others; or nothing.
  std::function<std::string()> reason_to_reform;
};

struct LaunchEnd {
  int exit_code = 0;
  int lost = 0;               // ranks of this host that died or failed by themselves
  bool was_asked = false;     // somebody sent a signal
  bool is_reforming = false;  // ended to begin again with other ranks
};

// Runs all ranks of the host. When one fails the others have some seconds to name it and end, then
// they are ended. Signals that ask for an end are handed on.
[[nodiscard]] LaunchEnd run_ranks(const LaunchOptions& options);

}  // namespace hearth
