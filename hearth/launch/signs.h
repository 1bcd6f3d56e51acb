// Signs of life that ranks leave for each other, and what can be read from them.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hearth {

enum class RankState {
  kWorks,
  kFailed,  // an error of its own, which `doing` tells
  kGaveUp,  // because of another rank
  kLeft,    // at the orderly end
};

struct Sign {
  int64_t count = 0;       // grows with every sign: clocks of hosts need not agree
  int64_t operations = 0;  // how many operations of the group it has begun
  double waiting = 0;      // seconds since it waits for others
  RankState state = RankState::kWorks;
  bool is_cut = false;  // a connection of it broke
  std::string who;      // "node2, process 4711"
  std::string doing;    // "step 12, forward"
  std::string notice;   // what all should know once: "its clock jumped ..."
};

// What rank 0 saw of a rank, and how long ago by its own clock.
struct Seen {
  Sign sign;
  double silent = 0;
};

// What rank 0 tells all.
struct Board {
  int64_t count = 0;
  std::string fault;  // why the run ends; empty while it goes on
  std::vector<Seen> ranks;
};

[[nodiscard]] std::string to_text(const Sign& sign);
[[nodiscard]] std::string to_text(const Board& board);
// DataError for what is no such text.
[[nodiscard]] Sign read_sign(std::string_view text);
[[nodiscard]] Board read_board(std::string_view text);

// "rank 1 (node2, process 4711)".
[[nodiscard]] std::string rank_text(int rank, const Sign& sign);
// Who ended or has been silent for too long, with what it was doing; empty when all is well.
[[nodiscard]] std::string fault_in(const std::vector<Seen>& ranks,
                                   std::chrono::milliseconds silence);
// Which ranks have not come to where `rank` waits, or may not have: "rank 1 (...), doing: step 12,
// forward".
[[nodiscard]] std::string late_ranks(const std::vector<Seen>& ranks, int rank);

}  // namespace hearth
