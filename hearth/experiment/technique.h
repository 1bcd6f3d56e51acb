// A technique: one line of a config that stands for changes all over it.
#pragma once

#include "hearth/config/choice.h"
#include "hearth/config/node.h"

namespace hearth {

class Technique {
 public:
  virtual ~Technique() = default;
  // The config as it shall be. It comes in full form: models, network and metrics written out. A
  // ConfigError says why the technique does not apply. Applied to what it made, it refuses or
  // changes nothing. Nodes made without a mark get that of the line which asks for the technique.
  [[nodiscard]] virtual Node apply(const Node& config) const = 0;
};

}  // namespace hearth
