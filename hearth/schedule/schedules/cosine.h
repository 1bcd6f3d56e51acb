// Up in a line, down along half a cosine: the usual course of a learning rate.
#pragma once

#include "hearth/schedule/schedule.h"

namespace hearth::schedules {

struct CosineOptions {
  double peak = 0.001;
  Time warmup = steps(0);
  double floor = 0;
  Time length = percent(100);
  static const Schema<CosineOptions>& schema();
};

[[nodiscard]] Choice<Schedule> cosine(CosineOptions options = {});

}  // namespace hearth::schedules
