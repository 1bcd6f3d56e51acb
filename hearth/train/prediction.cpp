// What a trained model says of a raw data point.
#include "hearth/train/prediction.h"

#include "hearth/base/error.h"
#include "hearth/base/text.h"

namespace hearth {

const PredictedValue& Prediction::output(std::string_view key) const {
  std::vector<std::string> known;
  for (const PredictedValue& value : outputs) {
    if (value.key == key) return value;
    known.push_back(value.key);
  }
  if (!error.empty()) throw DataError(error);
  throw DataError("the prediction has no " + quote(std::string(key)) + ", only " +
                  join(known, ", ") + "." + did_you_mean(std::string(key), known) +
                  " Name it in predict.out.");
}

const PredictedValue& Prediction::first() const {
  if (outputs.empty()) throw DataError(error.empty() ? "nothing was predicted yet." : error);
  return outputs.front();
}

}  // namespace hearth
