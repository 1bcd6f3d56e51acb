// How much of this process's cores other programs use.
#pragma once

#include <chrono>
#include <optional>
#include <string_view>
#include <vector>

namespace hearth {

class OtherPrograms {
 public:
  // Measuring begins here.
  OtherPrograms();
  // Cores' worth of time that others had since the last call that gave an answer: 1.5 is one core
  // and half of another. None while too little time has passed to tell, or when the system does
  // not say.
  [[nodiscard]] std::optional<double> cores_used();

 private:
  struct Moment {
    std::chrono::steady_clock::time_point time;
    std::optional<double> busy_seconds;  // of the cores this process may use
    double own_seconds;
  };
  [[nodiscard]] static Moment now();

  Moment last_;
};

// Seconds in which `cores` were busy, in a /proc/stat: without waiting for files, and without what
// a hypervisor took away. None when it lacks one of the cores.
[[nodiscard]] std::optional<double> busy_seconds_in_stat(std::string_view text,
                                                         const std::vector<int>& cores);

}  // namespace hearth
