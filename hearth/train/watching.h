// What traces share that watch the tensors of models, their weights or gradients: options by the
// names `interval`, `by` and `bins`, and the event of a look.
#pragma once

#include <nlohmann/json.hpp>

#include "hearth/config/schema.h"
#include "hearth/core/event.h"
#include "hearth/train/tensor_statistics.h"

namespace hearth {

template <class O>
[[nodiscard]] Schema<O> watching_schema() {
  return Schema<O>()
      .field(&O::interval, "interval",
             "How often to look, in steps: 100st, 1ep. Each look waits for the device.", above(0))
      .field(&O::by, "by", "Whose norms: one for each top `layer`, or for each `parameter`.",
             one_of({"layer", "parameter"}));
}

template <class O>
[[nodiscard]] std::vector<NamedNumber> watched_norms(const O& options,
                                                     std::span<const NamedTensor> tensors) {
  return norms_by_group(tensors, options.by == "layer");
}

// Norms, and histograms where they are wanted.
template <class O>
[[nodiscard]] Event watched(const O& options, std::string kind,
                            std::span<const NamedTensor> tensors) {
  Event event;
  event.kind = std::move(kind);
  event.values = watched_norms(options, tensors);
  if (options.bins > 0) event.details = histograms_of(tensors, options.bins);
  return event;
}

}  // namespace hearth
