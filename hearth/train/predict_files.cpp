// Files to predict as samples.
#include "hearth/train/predict_files.h"

#include "hearth/base/error.h"
#include "hearth/train/prediction_engine.h"
#include "hearth/train/raw_files.h"
#include "hearth/train/raw_table.h"

namespace hearth {

std::vector<RawSample> samples_of_files(const std::vector<PredictInput>& inputs,
                                        PredictionEngine& engine) {
  const std::vector<KeySpec> keys = engine.inputs();
  const bool are_tables = is_table(keys);
  if (!are_tables && keys.size() != 1)
    throw GraphError("files fill one key, but the model needs several:\n" + engine.inputs_text() +
                     "Use a Predictor, which takes values by key.");
  std::vector<RawSample> samples;
  for (const PredictInput& input : inputs)
    for (RawSample& sample : are_tables
                                 ? table_samples(input.file, keys)
                                 : samples_of_file(input.file, keys.front(), input.is_inverted))
      samples.push_back(std::move(sample));
  return samples;
}

}  // namespace hearth
