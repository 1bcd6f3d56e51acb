// The hosts that are there, each with as many ranks as the others.
#include "hearth/base/clock.h"
#include "hearth/base/text.h"
#include "hearth/launch/environment.h"
#include "hearth/launch/membership.h"
#include "hearth/launch/muster.h"

namespace hearth {
namespace {

MusterOptions muster_options(const LaunchOptions& options, const ElasticOptions& elastic) {
  MusterOptions muster;
  muster.folder = options.logs;
  muster.host = options.host_index;
  muster.hosts = options.hosts;
  muster.least = static_cast<int>((elastic.min + options.ranks - 1) / options.ranks);
  muster.patience = std::chrono::seconds(Environment::of_process().number(
      "HEARTH_START_TIMEOUT",
      static_cast<int>(std::chrono::duration_cast<std::chrono::seconds>(muster.patience).count())));
  muster.say = options.say;
  return muster;
}

class HostsThatAreThere : public Membership {
 public:
  HostsThatAreThere(const LaunchOptions& options, const ElasticOptions& elastic,
                    std::vector<std::string> hosts)
      : muster_(muster_options(options, elastic)),
        hosts_(std::move(hosts)),
        own_(options.host_index),
        name_(options.attempt),
        port_(options.store.substr(options.store.rfind(':'))),
        pause_(elastic.rejoin) {}

  bool settle(LaunchOptions& options) override {
    const std::optional<Round> round = muster_.await_round();
    if (!round) return false;
    options.hosts = static_cast<int>(round->hosts.size());
    options.host_index = 0;
    while (round->hosts[static_cast<size_t>(options.host_index)] != own_) ++options.host_index;
    options.store = hosts_.at(static_cast<size_t>(round->hosts.front())) + port_;
    options.attempt = name_ + "." + std::to_string(round->number);
    std::vector<std::string> names;
    for (const int host : round->hosts) names.push_back(hosts_.at(static_cast<size_t>(host)));
    options.say("round " + std::to_string(round->number) + " has the hosts " + join(names, ", "));
    since_.restart();
    return true;
  }

  std::string reason_to_reform() override {
    // Ranks at work find out by themselves, and sooner; not those that wait for others to come.
    if (const std::vector<int> lost = muster_.lost_hosts(); !lost.empty())
      return hosts_.at(static_cast<size_t>(lost.front())) + " is gone";
    if (since_.seconds() < pause_) return "";
    const std::vector<int> more = muster_.newcomers();
    return more.empty() ? "" : hosts_.at(static_cast<size_t>(more.front())) + " is there again";
  }
  void heed(const LaunchEnd& end) override {
    if (end.exit_code == 0) muster_.finish();
  }
  [[nodiscard]] bool may_be_ended_by_others() const override { return true; }

 private:
  Muster muster_;
  std::vector<std::string> hosts_;
  int own_;
  std::string name_;
  std::string port_;  // ":29500"
  double pause_;
  Stopwatch since_;
};

}  // namespace

std::unique_ptr<Membership> hosts_that_are_there(const LaunchOptions& options,
                                                 const ElasticOptions& elastic,
                                                 std::vector<std::string> hosts) {
  return std::make_unique<HostsThatAreThere>(options, elastic, std::move(hosts));
}

}  // namespace hearth
