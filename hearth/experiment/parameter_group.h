// Parameters of a model that learn in a way of their own: what `groups` lists.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "hearth/config/choice.h"
#include "hearth/schedule/schedule.h"

namespace hearth {

struct ParameterGroup {
  std::vector<std::string> match = {};
  std::string name = "";
  Scheduled lr_factor = 1;
  std::optional<Scheduled> weight_decay = {};
  bool frozen = false;
  std::string optimizer = "";
  std::optional<Time> from = {};
  std::optional<Time> until = {};
  Mark mark = {};  // where the config has it
  static const Schema<ParameterGroup>& schema();
};

template <>
struct TypeOf<ParameterGroup> {
  static Type type();
  static ParameterGroup read(const Node& node);
  static Node write(const ParameterGroup& group);
};

}  // namespace hearth
