// The ranks of one host, or the same ones on all of them.
#include "hearth/launch/membership.h"

#include <algorithm>

#include "hearth/base/clock.h"
#include "hearth/launch/sockets.h"

namespace hearth {
namespace {

constexpr double kLongestPause = 3600;  // seconds

// Names attempts by their number. On one host each has a store of its own: the port of an earlier
// one may still be closing.
class Attempts {
 public:
  explicit Attempts(const LaunchOptions& options) : name_(options.attempt) {}
  void settle(LaunchOptions& options) {
    if (number_ > 0 && options.hosts == 1)
      options.store = "127.0.0.1:" + std::to_string(free_port());
    options.attempt = name_ + "." + std::to_string(number_++);
  }

 private:
  std::string name_;
  int number_ = 0;
};

class SameRanks : public Membership {
 public:
  explicit SameRanks(const LaunchOptions& options) : attempts_(options) {}
  bool settle(LaunchOptions& options) override {
    attempts_.settle(options);
    return true;
  }

 private:
  Attempts attempts_;
};

class RanksThatAreLeft : public Membership {
 public:
  RanksThatAreLeft(const LaunchOptions& options, const ElasticOptions& elastic)
      : attempts_(options),
        least_(static_cast<int>(elastic.min)),
        most_(options.ranks),
        ranks_(options.ranks),
        pause_(elastic.rejoin) {}

  bool settle(LaunchOptions& options) override {
    attempts_.settle(options);
    options.ranks = ranks_;
    since_.restart();
    return true;
  }

  std::string reason_to_reform() override {
    if (ranks_ == most_ || since_.seconds() < pause_) return "";
    return "there may be " + std::to_string(most_) + " ranks again";
  }

  void heed(const LaunchEnd& end) override {
    if (end.is_reforming) {
      ranks_ = most_;
    } else if (end.lost > 0) {
      ranks_ = std::max(least_, ranks_ - end.lost);
      // What keeps one from staying may last.
      if (has_lost_) pause_ = std::min(2 * pause_, std::max(pause_, kLongestPause));
      has_lost_ = true;
    }
  }

 private:
  Attempts attempts_;
  int least_;
  int most_;
  int ranks_;
  double pause_;
  bool has_lost_ = false;
  Stopwatch since_;
};

}  // namespace

std::unique_ptr<Membership> same_ranks(const LaunchOptions& options) {
  return std::make_unique<SameRanks>(options);
}

std::unique_ptr<Membership> ranks_that_are_left(const LaunchOptions& options,
                                                const ElasticOptions& elastic) {
  return std::make_unique<RanksThatAreLeft>(options, elastic);
}

}  // namespace hearth
