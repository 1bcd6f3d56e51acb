// What the steps of a run were made of, as its log has it.
#include "hearth/train/recorded_steps.h"

#include "hearth/core/log_reader.h"
#include "hearth/network/step_gathering.h"

namespace hearth {

namespace {

StepLedger::Record record_in(const Json& details) {
  const auto numbers = [&](const char* name) {
    return details.at(name).get<std::vector<int64_t>>();
  };
  return {numbers("slots"), numbers("ranks"), numbers("dropped")};
}

}  // namespace

void replay_steps_of(const fs::path& log, Network& network) {
  if (network.gathering() == nullptr || !is_there(log)) return;
  StepLedger::Records records;
  for (const Event& event : read_run_log(log))
    if (event.kind == "gathered") records[event.step - 1] = record_in(event.details);
  network.gathering()->replay(std::move(records));
}

}  // namespace hearth
