// What the commands on checkpoints share.
#include "cli/checkpoint_text.h"

namespace hearth::cli {

nlohmann::ordered_json checkpoint_json(const CheckpointFacts& facts) {
  nlohmann::ordered_json json = {{"name", facts.name}, {"file", facts.path.string()}};
  if (!facts.fault.empty()) {
    json["fault"] = facts.fault;
    return json;
  }
  json["bytes"] = facts.bytes;
  json["step"] = facts.step;
  json["epochs"] = facts.epochs;
  json["batches"] = facts.batches;
  json["target_epochs"] = facts.target_epochs;
  json["metrics"] = facts.metrics;
  if (!facts.stop_reason.empty()) json["stop_reason"] = facts.stop_reason;
  return json;
}

}  // namespace hearth::cli
