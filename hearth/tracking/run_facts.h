// What a run's folder says of the run beside its log. What is missing or is something else than it
// should be is left out: who watches a run must not fail for it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "hearth/config/node.h"
#include "hearth/core/spec.h"

namespace hearth {

// The folder's own name, also of "runs/digits-1/" and ".".
[[nodiscard]] std::string run_name(const std::filesystem::path& run);

// A small file of the run, or nothing.
[[nodiscard]] std::optional<std::string> run_file(const std::filesystem::path& run,
                                                  const std::string& name,
                                                  uint64_t limit_bytes = 16 << 20);
// Null when it is not there or no JSON.
[[nodiscard]] Json run_json(const std::filesystem::path& run, const std::string& name);
[[nodiscard]] Node run_config(const std::filesystem::path& run);

// An option of the config that is a plain value: "train.epochs", "3".
struct PlainOption {
  std::string path;
  Node value;
};
// All of them, in order; without those that say where things lie or what is told of them.
[[nodiscard]] std::vector<PlainOption> plain_options(const Node& config);

// The text under a key of an object; empty when there is none, or something else.
[[nodiscard]] std::string text_at(const Json& json, const char* key);

// A layer of a model, as model.json of the run has it.
struct LayerFacts {
  std::string name;                 // "net.features.conv1"
  std::string kind;                 // "conv2d"; empty for an input
  std::string output;               // "float32 [B, 20, 24, 24]"
  std::vector<int64_t> shape;       // of the output; -1 where it differs
  std::vector<std::string> inputs;  // names of others
};
[[nodiscard]] std::vector<LayerFacts> layer_facts(const std::filesystem::path& run);

// What the newest process that trained the run last said of itself: "begin", "resume", "end",
// "interrupted", "diverged", "failed"; empty without a history.
struct RunState {
  std::string kind;
  double time = 0;
};
[[nodiscard]] RunState run_state(const std::filesystem::path& run);

}  // namespace hearth
