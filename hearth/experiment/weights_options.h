// First values of a model from a file of weights: what `weights` says.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "hearth/config/choice.h"

namespace hearth {

struct WeightsOptions {
  std::string file = "";
  std::string prefix = "";
  std::map<std::string, std::string> rename = {};
  bool strict = true;
  std::vector<std::string> allow = {};
  std::vector<std::string> fresh = {};
  std::vector<std::string> optional = {};
  bool new_head = false;
  std::string channels = "same";
  std::string digest = "";
  static const Schema<WeightsOptions>& schema();
};

}  // namespace hearth
