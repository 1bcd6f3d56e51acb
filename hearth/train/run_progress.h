// How far training is, for whoever shows it to a person.
#pragma once

#include <map>
#include <set>
#include <string>

#include "hearth/config/time.h"

namespace hearth {

struct Progress {
  Moment moment;
  int64_t total_epochs = 0;
  double steps_per_second = 0;
  double samples_per_second = 0;
  double seconds_left = 0;
  double data_wait_share = 0;  // of the time so far, spent waiting for data
  bool is_epoch_end = false;
  // What goes on between two steps, such as "evaluating eval", and how much of it is done; empty
  // for training itself.
  std::string doing = {};
  double done = 0;
  std::map<std::string, double> metrics;  // "train/loss", "eval/accuracy"
  std::set<std::string> best;             // those that never were better at the end of an epoch
};

}  // namespace hearth
