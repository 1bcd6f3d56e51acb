// Which ranks the attempts of a launch have.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "hearth/launch/elastic_options.h"
#include "hearth/launch/supervisor.h"

namespace hearth {

class Membership {
 public:
  virtual ~Membership() = default;
  // Sets how many ranks and hosts the next attempt has, the place of this host, the store and the
  // attempt's name. False: there is no next one, the others have ended the run.
  [[nodiscard]] virtual bool settle(LaunchOptions& options) = 0;
  // Asked while ranks run: why they should save and end, to begin again with others; or nothing.
  [[nodiscard]] virtual std::string reason_to_reform() { return ""; }
  // How the attempt ended.
  virtual void heed(const LaunchEnd& end) { (void)end; }
  // Whether an attempt that was saved and ended, though nobody asked this launcher, goes on.
  [[nodiscard]] virtual bool may_be_ended_by_others() const { return false; }
};

// Always the same.
[[nodiscard]] std::unique_ptr<Membership> same_ranks(const LaunchOptions& options);
// On one host: fewer by those that were lost, and after a while all again.
[[nodiscard]] std::unique_ptr<Membership> ranks_that_are_left(const LaunchOptions& options,
                                                              const ElasticOptions& elastic);
// Over several: those hosts that are there, by signs of life in a folder that all see. Each has the
// same number of ranks.
[[nodiscard]] std::unique_ptr<Membership> hosts_that_are_there(const LaunchOptions& options,
                                                               const ElasticOptions& elastic,
                                                               std::vector<std::string> hosts);

}  // namespace hearth
