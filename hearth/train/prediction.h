// What a trained model says of a raw data point. Needs no LibTorch header.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hearth/core/spec.h"

namespace hearth {

struct ClassScore {
  std::string name;
  double probability = 0;
};

// A box that a detector found, in points of the image that the network was given.
struct FoundBox {
  std::string name;  // of its class
  double score = 0;
  double left = 0;
  double top = 0;
  double right = 0;
  double bottom = 0;
};

// One wanted key of one data point.
struct PredictedValue {
  std::string key = {};
  // What it is: kClass has `scores`; kMask (a class for each point of an image) and kTokens (one
  // for each place of a sequence) have `classes`; kBoxes of a detector have `boxes`; kImage and
  // kPlain are what `values` hold.
  Role role = Role::kPlain;
  std::vector<int64_t> shape = {};      // of `values`, as the network gives them
  std::vector<double> values = {};      // the output as it is
  std::vector<ClassScore> scores = {};  // most likely first
  std::vector<int64_t> classes = {};    // the most likely class, for each point or place
  std::optional<std::vector<FoundBox>> boxes = {};  // best first
  std::vector<std::string> class_names = {};        // by number, where there are classes
};

// What the model says of one raw data point.
struct Prediction {
  std::string input = {};                    // "scan.png", "sample 7"
  std::vector<PredictedValue> outputs = {};  // one for each of predict.out, in its order
  std::vector<std::string> notes = {};       // what was done to the input, if that may surprise
  std::string error = {};                    // why there are no outputs, with `keeps_going`

  // DataError when the key is not among the wanted ones, or nothing was predicted.
  [[nodiscard]] const PredictedValue& output(std::string_view key) const;
  // Of the first wanted key.
  [[nodiscard]] const std::vector<ClassScore>& scores() const { return first().scores; }
  [[nodiscard]] const std::vector<double>& values() const { return first().values; }

 private:
  [[nodiscard]] const PredictedValue& first() const;
};

struct PredictSettings {
  int64_t top = 0;         // classes in `scores`; 0: as the experiment says
  int64_t batch_size = 0;  // samples at a time; 0: as in training, or 64 where that changes
  // A data point that cannot be predicted gets an `error`, and the others their outputs. Otherwise
  // that is a DataError.
  bool keeps_going = false;
  std::function<void(int64_t done, int64_t all)> on_progress = {};  // after each batch
};

}  // namespace hearth
