// The group of this process.
#include "hearth/base/terminal.h"
#include "hearth/cluster/group.h"
#include "hearth/cluster/join.h"
#include "hearth/launch/find_place.h"

namespace hearth {
namespace {

std::shared_ptr<Group> join_by_environment(const ClusterOptions* cluster) {
  const Environment environment = Environment::of_process();
  const std::optional<RankPlace> place = find_place(environment, cluster);
  if (!place || place->size == 1) return std::make_shared<Group>();
  if (place->rank == 0) print_note(place_text(*place));
  JoinOptions options;
  options.secret = secret_of(environment);
  options.shares_memory = environment.number("HEARTH_SHARED_MEMORY", 1) != 0;
  const auto seconds = [&](const char* name, std::chrono::milliseconds& time) {
    if (environment.has(name)) time = std::chrono::seconds(environment.number(name));
  };
  seconds("HEARTH_START_TIMEOUT", options.start_timeout);
  seconds("HEARTH_SILENCE", options.silence);
  seconds("HEARTH_PATIENCE", options.patience);
  return join_group(*place, std::move(options));
}

}  // namespace

std::shared_ptr<Group> own_group(const ClusterOptions* cluster) {
  // A process has one rank for as long as it lives.
  static const std::shared_ptr<Group> group = join_by_environment(cluster);
  return group;
}

}  // namespace hearth
