// Steps that clean data, as options.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "hearth/config/schema.h"

namespace hearth {

struct DropCorruptStep {
  std::vector<std::string> sets = {};
  static const Schema<DropCorruptStep>& schema();
};

struct DropMissingStep {
  std::vector<std::string> keys = {};
  std::vector<std::string> sets = {};
  static const Schema<DropMissingStep>& schema();
};

struct DropDuplicatesStep {
  std::vector<std::string> keys = {};
  bool across = true;
  bool near = false;
  std::vector<std::string> sets = {};
  static const Schema<DropDuplicatesStep>& schema();
};

struct ClampStep {
  std::string key = {};  // must be given
  std::optional<double> low = {};
  std::optional<double> high = {};
  std::vector<std::string> sets = {};
  static const Schema<ClampStep>& schema();
};

struct BalanceStep {
  std::string key = "label";
  std::string how = "drop";
  int64_t seed = 0;
  std::vector<std::string> sets = {"train"};
  static const Schema<BalanceStep>& schema();
};

struct SplitStep {
  std::map<std::string, double> shares = {{"eval", 0.2}, {"train", 0.8}};
  std::optional<std::string> stratify = {};
  std::optional<std::string> by = {};
  int64_t seed = 0;
  static const Schema<SplitStep>& schema();
};

// One of them.
struct CleanStep {
  std::optional<DropCorruptStep> drop_corrupt = {};
  std::optional<DropMissingStep> drop_missing = {};
  std::optional<DropDuplicatesStep> drop_duplicates = {};
  std::optional<ClampStep> clamp = {};
  std::optional<BalanceStep> balance = {};
  std::optional<SplitStep> split = {};
  static const Schema<CleanStep>& schema();
};

struct CleanOptions {
  std::vector<CleanStep> steps = {};
  static const Schema<CleanOptions>& schema();
};

}  // namespace hearth
