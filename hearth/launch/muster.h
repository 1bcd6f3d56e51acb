// The hosts of an elastic run agree on who takes part, by files in a folder that all of them see:
// the folder of its checkpoints has to be such a one anyway, and outlives any host.
//   host-2        "17 waits": a count that grows every second, and what the host does
//   round-000003  "0 2": the hosts of the third attempt
#pragma once

#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace hearth {

struct MusterOptions {
  std::filesystem::path folder;
  int host = 0;   // of this launcher
  int hosts = 1;  // all that may come
  int least = 1;
  std::chrono::milliseconds beat{1000};
  std::chrono::milliseconds silence{10'000};  // a host without a sign for so long is gone
  // How long hosts that are not there are waited for when there are enough: at first, and later.
  std::chrono::milliseconds first_call{30'000};
  std::chrono::milliseconds last_call{3'000};
  std::chrono::milliseconds patience{300'000};  // until there are enough
  std::function<void(const std::string&)> say;
};

struct Round {
  int64_t number = 0;
  std::vector<int> hosts;  // in ascending order
};

class Muster {
 public:
  explicit Muster(MusterOptions options);
  ~Muster();
  Muster(const Muster&) = delete;
  Muster& operator=(const Muster&) = delete;

  // The next round that has this host in it. Nothing when the run has ended on the others; a
  // ClusterError names the hosts that did not come when there are too few.
  [[nodiscard]] std::optional<Round> await_round();
  // Hosts that wait and are not in the round; none where another host looks after that.
  [[nodiscard]] std::vector<int> newcomers() const;
  // Hosts of the round that have given no sign for twice as long as they may.
  [[nodiscard]] std::vector<int> lost_hosts() const;
  // The run has ended well.
  void finish();

 private:
  using Clock = std::chrono::steady_clock;
  enum class State { kWaits, kRuns, kDone };
  struct Heard {
    int64_t count = -1;
    State state = State::kWaits;
    bool is_alive = false;  // its count grew
    Clock::time_point at;
  };

  void run();
  void beat();
  void listen(int host);
  void set_state(State state);
  [[nodiscard]] bool is_there(int host, Clock::time_point now) const;
  [[nodiscard]] std::vector<int> hosts_in(State state) const;
  [[nodiscard]] std::optional<Round> newest_round() const;
  void call_round(Clock::time_point since) const;
  void complain(Clock::time_point since);
  [[nodiscard]] std::filesystem::path sign_file(int host) const;
  [[nodiscard]] std::filesystem::path round_file(int64_t number) const;

  const MusterOptions options_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  State state_ = State::kWaits;
  int64_t count_ = 0;
  bool stops_ = false;
  std::map<int, Heard> heard_;
  Round round_;             // this host's; its number is that of the newest one when it came
  bool has_begun_ = false;  // it took part in a round
  std::thread thread_;
};

}  // namespace hearth
