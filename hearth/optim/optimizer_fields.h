// Options that many optimizers share, as their schemas say them.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "hearth/config/schema.h"
#include "hearth/schedule/schedule.h"

namespace hearth {

inline constexpr const char* kEpsHelp = "Added to the divisor, against division by zero.";
inline constexpr const char* kMaximizeHelp = "Climb instead of descending.";
inline constexpr const char* kCoupledDecayHelp = "Pull towards zero, added to the gradient.";
inline constexpr const char* kDecoupledDecayHelp = "Pull towards zero, scaled by lr.";
inline constexpr const char* kAmsgradHelp =
    "Divide by the greatest mean square so far, so that steps never grow again.";

// Each at least 0 and below 1.
[[nodiscard]] inline bool are_valid_betas(const std::vector<double>& betas) {
  return betas.size() == 2 &&
         std::all_of(betas.begin(), betas.end(), [](double beta) { return beta >= 0 && beta < 1; });
}

// Of an option that counts something.
[[nodiscard]] inline int64_t count_at(const ScheduledValue& value, const Moment& moment) {
  return std::llround(value.at(moment));
}

template <class O>
[[nodiscard]] Schema<O> lr_schema(const std::string& help = "Learning rate.") {
  return Schema<O>().field(&O::lr, "lr", help, at_least(0));
}

// lr, betas, eps and weight_decay.
template <class O>
[[nodiscard]] Schema<O> adam_schema(const std::string& weight_decay) {
  return lr_schema<O>()
      .field(&O::betas, "betas",
             "How slowly the running means of the gradient and of its square forget.", at_least(0),
             below(1))
      .field(&O::eps, "eps", kEpsHelp, at_least(0))
      .field(&O::weight_decay, "weight_decay", weight_decay, at_least(0))
      .check("betas must be two numbers, each at least 0 and below 1.",
             [](const O& options) { return are_valid_betas(options.betas); });
}

}  // namespace hearth
