// What a training would take on more machines: memory of a rank, traffic, step time, efficiency.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hearth/core/spec.h"
#include "hearth/train/scale/scale_profile.h"

namespace hearth::scale {

struct ScaleQuestion {
  ClusterShape cluster = {};  // the largest one that is asked for
  double batch = 0;           // samples of a step; of each rank if it is weak
  bool is_weak = false;       // every rank takes a whole batch, instead of a part of one
  double crowding = 1;        // threads of a host's ranks for each of its cores, at least 1
};

struct ScaleRow {
  int64_t hosts = 0;
  int64_t ranks = 0;
  double samples = 0;  // of a step, of the rank that has most
  ScheduledStep step = {};
  double samples_per_second = 0;
  double efficiency = 0;  // against as many ranks as fast as one alone
};

// Of one rank, in bytes.
struct RankMemory {
  std::string name;  // "all on every rank", "ZeRO-1"
  ModelMemory model;
  double other = 0;
  [[nodiscard]] double all() const {
    return model.parameters + model.gradients + model.optimizer + other;
  }
};

struct ScalePlan {
  std::vector<ScaleRow> rows;      // 1, 2, 4 ... hosts, and the number that was asked for
  std::vector<RankMemory> memory;  // at that number
  std::vector<std::string> notes;
  [[nodiscard]] std::string text() const;
  [[nodiscard]] Json to_json() const;
};

[[nodiscard]] ScalePlan plan_scale(const ScaleProfile& profile, const ModelMemory& memory,
                                   const ScaleQuestion& question);

}  // namespace hearth::scale
