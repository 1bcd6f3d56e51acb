// What techniques share that put small layers around those of a model, which then learn alone.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "hearth/config/node.h"

namespace hearth {

struct Wrapping {
  std::optional<std::string> model = {};  // left out: the only one that is trained
  std::vector<std::string> layers;        // patterns of paths
  std::string only = "";                  // the kind of layers, such as linear; empty for any
  Node with;                              // the layer around them: {lora: {rank: 8}}
  std::vector<std::string> own;           // patterns of the parameters that come with it
  std::vector<std::string> also;          // of others that learn
};

// The config with edits that wrap the layers and let nothing else learn; what is added may
// be missing in the model's `weights`. ConfigError when the model has such layers already, or which
// one is meant is not clear.
[[nodiscard]] Node with_wrapped_layers(const Node& config, const Wrapping& wrapping);

// The one model with an optimizer, or the one that is named; ConfigError says why there is none.
[[nodiscard]] std::string trained_model(const Node& config, const std::optional<std::string>& named,
                                        const std::string& purpose);

}  // namespace hearth
