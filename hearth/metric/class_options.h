// Options that metrics of classes share. Needs no LibTorch.
#pragma once

#include <string>
#include <vector>

#include "hearth/config/choice.h"
#include "hearth/metric/bootstrap_options.h"

namespace hearth::metrics {

// Of answers.
struct ClassMetricOptions {
  std::vector<std::string> in = {"logits", "label"};
  double threshold = 0;
  std::string weight = {};
  std::string mask = {};
  BootstrapOptions bootstrap = {};
  std::string out = {};
  static const Schema<ClassMetricOptions>& schema();
};

// Of answers, with a number for each class and their averages.
struct AveragedClassOptions {
  std::vector<std::string> in = {"logits", "label"};
  double threshold = 0;
  std::string average = "macro";  // which of them is the headline
  std::string weight = {};
  std::string mask = {};
  BootstrapOptions bootstrap = {};
  std::string out = {};
  static const Schema<AveragedClassOptions>& schema();
};

// Of probabilities.
struct ClassShareOptions {
  std::vector<std::string> in = {"logits", "label"};
  std::string scores = "logits";
  std::string weight = {};
  std::string mask = {};
  BootstrapOptions bootstrap = {};
  std::string out = {};
  static const Schema<ClassShareOptions>& schema();
};

// Of scores as they are.
struct ClassMarginOptions {
  std::vector<std::string> in = {"logits", "label"};
  std::string weight = {};
  std::string mask = {};
  BootstrapOptions bootstrap = {};
  std::string out = {};
  static const Schema<ClassMarginOptions>& schema();
};

// Of the order of scores, with a number for each class and their averages.
struct ClassRankOptions {
  std::vector<std::string> in = {"logits", "label"};
  std::string scores = "logits";
  std::string average = "macro";
  std::string weight = {};
  std::string mask = {};
  BootstrapOptions bootstrap = {};
  std::string out = {};
  static const Schema<ClassRankOptions>& schema();
};

}  // namespace hearth::metrics
