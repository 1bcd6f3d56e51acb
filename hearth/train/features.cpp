// What a trained model makes of data, packed to be trained on.
#include "hearth/train/features.h"

#include <algorithm>

#include <ATen/core/Tensor.h>

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/config/registry.h"
#include "hearth/train/estimator.h"
#include "hearth/train/prediction_engine.h"

namespace hearth {
namespace {

std::shared_ptr<const Source> opened_source(const FeatureOptions& options,
                                            const ExperimentOptions& run) {
  std::optional<Choice<Source>> choice = options.source;
  if (!choice) {
    const DataOptions& data = run.data;
    if (options.mode == Mode::kTest) choice = data.test;
    const auto& sets = options.mode == Mode::kTrain ? data.train : data.eval;
    if (options.mode != Mode::kTest && !sets.all().empty()) choice = sets.all().front().second;
  }
  if (!choice)
    throw ConfigError("data." + std::string(name(options.mode)) +
                      " is needed, but there is none in the run's config. Give a FILE with it.");
  std::shared_ptr<Source> source = registry<Source>().make(*choice);
  at_option_of(choice->options(), [&] { source->open(); });
  return source;
}

// Rows of a tensor as values of samples.
void give_rows(const std::vector<at::Tensor>& values, const std::vector<KeySpec>& keys,
               const PackInput::Take& take) {
  std::vector<View> row(keys.size());
  for (int64_t i = 0; i < values.front().size(0); ++i) {
    for (size_t k = 0; k < keys.size(); ++k) {
      auto* data = static_cast<std::byte*>(values[k].data_ptr());
      row[k] = {data + i * keys[k].spec.bytes(), &keys[k].spec, keys[k].spec.shape};
    }
    take(row);
  }
}

}  // namespace

PackReport pack_features(const FeatureOptions& options, const PackOptions& how) {
  Estimator estimator = Estimator::open(options.folder, options.checkpoint, {},
                                        {.accepts_changes = options.accepts_changes});
  PredictionEngine& engine = estimator.prediction_engine();
  const auto source = opened_source(options, engine.options());
  const auto features = engine.features(source, options.keys);
  PackInput input{.keys = features.keys,
                  .samples = source->size(),
                  .made_of = "features\n" + source->fingerprint() + "\n" +
                             estimator.weights_digest() + "\n" + join(options.keys, ",")};
  input.batch = [&](int64_t first, const PackInput::Take& take) {
    give_rows(features.batch(first, std::min(kPackBatch, source->size() - first)), input.keys,
              take);
  };
  return pack(input, how);
}

}  // namespace hearth
