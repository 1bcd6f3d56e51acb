// Signs of life as JSON, and what can be read from them.
#include "hearth/launch/signs.h"

#include <algorithm>
#include <functional>

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/format/json.h"

namespace hearth {
namespace {

using Json = nlohmann::json;
constexpr int kStates = 4;
// A busy host may be silent for long; one whose connections broke is gone.
constexpr std::chrono::milliseconds kSilenceOfTheCut{3000};

Json json_of(const Sign& sign) {
  return {{"count", sign.count},     {"operations", sign.operations},
          {"waiting", sign.waiting}, {"state", static_cast<int>(sign.state)},
          {"cut", sign.is_cut},      {"who", sign.who},
          {"doing", sign.doing},     {"notice", sign.notice}};
}

Sign sign_of(const Json& json) {
  const int state = json.at("state").get<int>();
  if (state < 0 || state >= kStates) throw DataError("a sign of life has no such state");
  return {json.at("count").get<int64_t>(),     json.at("operations").get<int64_t>(),
          json.at("waiting").get<double>(),    static_cast<RankState>(state),
          json.at("cut").get<bool>(),          json.at("who").get<std::string>(),
          json.at("doing").get<std::string>(), json.at("notice").get<std::string>()};
}

// What is written by another program comes to a DataError, whatever is wrong with it.
template <class Read>
auto read_as(std::string_view text, const char* what, const Read& read) {
  try {
    return read(parse_json(text, what));
  } catch (const Json::exception& error) {
    throw DataError(std::string(what) + ": " + error.what());
  }
}

std::string doing_text(const Sign& sign) {
  return sign.doing.empty() ? "" : "; it was doing: " + sign.doing;
}

std::string fault_of(int rank, const Seen& seen, double silence) {
  const std::string who = rank_text(rank, seen.sign);
  if (seen.sign.state == RankState::kFailed) return who + " ended: " + seen.sign.doing;
  // Who left or gave up has reasons to be silent; why it gave up, all are told.
  if (seen.sign.state == RankState::kGaveUp) return seen.sign.doing;
  if (seen.sign.state == RankState::kLeft || seen.silent <= silence) return "";
  return who + " has given no sign of life for " + human_seconds(seen.silent) +
         ": it was killed, is stopped, or cannot be reached" + doing_text(seen.sign);
}

}  // namespace

std::string to_text(const Sign& sign) { return json_line(json_of(sign)); }

std::string to_text(const Board& board) {
  Json ranks = Json::array();
  for (const Seen& seen : board.ranks)
    ranks.push_back({{"sign", json_of(seen.sign)}, {"silent", seen.silent}});
  return json_line(Json{{"count", board.count}, {"fault", board.fault}, {"ranks", ranks}});
}

Sign read_sign(std::string_view text) {
  return read_as(text, "a sign of life", [](const Json& json) { return sign_of(json); });
}

Board read_board(std::string_view text) {
  return read_as(text, "rank 0's board", [](const Json& json) {
    Board board{json.at("count").get<int64_t>(), json.at("fault").get<std::string>(), {}};
    for (const Json& seen : json.at("ranks"))
      board.ranks.push_back({sign_of(seen.at("sign")), seen.at("silent").get<double>()});
    return board;
  });
}

std::string rank_text(int rank, const Sign& sign) {
  return "rank " + std::to_string(rank) + (sign.who.empty() ? "" : " (" + sign.who + ")");
}

std::string fault_in(const std::vector<Seen>& ranks, std::chrono::milliseconds silence) {
  for (const Seen& seen : ranks)
    if (seen.sign.is_cut) silence = std::min(silence, kSilenceOfTheCut);
  // Whose own error it was comes first: the others may have ended because of it.
  for (const RankState first : {RankState::kFailed, RankState::kWorks, RankState::kGaveUp}) {
    std::vector<std::string> faults;
    for (size_t rank = 0; rank < ranks.size(); ++rank) {
      if (ranks[rank].sign.state != first) continue;
      const std::string fault = fault_of(static_cast<int>(rank), ranks[rank],
                                         std::chrono::duration<double>(silence).count());
      if (!fault.empty()) faults.push_back(fault);
    }
    if (!faults.empty()) return join(faults, "\n  ");
  }
  return "";
}

// Behind are those that began fewer operations; where none did, one that began as many and waits
// for nothing; and where all of them wait, it may be any.
std::string late_ranks(const std::vector<Seen>& ranks, int rank) {
  if (rank < 0 || static_cast<size_t>(rank) >= ranks.size()) return "";
  const int64_t here = ranks[static_cast<size_t>(rank)].sign.operations;
  const std::function<bool(const Sign&)> rules[] = {
      [&](const Sign& sign) { return sign.operations < here; },
      [&](const Sign& sign) { return sign.operations == here && sign.waiting == 0; },
      [](const Sign&) { return true; }};
  std::vector<std::string> late;
  for (const auto& is_late : rules) {
    for (size_t other = 0; other < ranks.size(); ++other) {
      const Sign& sign = ranks[other].sign;
      if (static_cast<int>(other) != rank && is_late(sign))
        late.push_back(rank_text(static_cast<int>(other), sign) +
                       (sign.doing.empty() ? "" : ", doing: " + sign.doing));
    }
    if (!late.empty()) break;
  }
  return join(late, "; ");
}

}  // namespace hearth
