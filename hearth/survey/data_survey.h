// What an experiment's data is like: every set looked at sample by sample.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "hearth/format/image.h"
#include "hearth/survey/duplicates.h"
#include "hearth/survey/key_survey.h"
#include "hearth/survey/sample_walk.h"

namespace hearth {

struct SurveyedSet {
  std::string name;  // "train", "eval.clean"
  WalkRequest walk;  // with all of the set's ops
};

struct SurveyRequest {
  int64_t pictures = 24;  // in a grid
  size_t listed = 10;     // broken samples and duplicates that are named
  // How far it is: the set's name, samples done and all of them.
  std::function<void(const std::string&, int64_t, int64_t)> progress = {};
};

struct SetSurvey {
  std::string name;
  int64_t samples = 0;    // of the source
  int64_t looked_at = 0;  // fewer when it is large
  std::vector<KeySpec> source_keys;
  // As they are before they are scaled and missing ones filled in, by the ops that evaluation runs
  // too.
  std::vector<KeySurvey> keys;
  std::vector<KeySpec> final_keys;  // after all ops
  std::vector<BrokenSample> broken;
  Image before;  // a grid of pictures before ops, empty without images
  Image after;   // the same samples after all ops
};

struct DataSurvey {
  std::vector<SetSurvey> sets;
  Duplicates duplicates;
  std::vector<std::array<std::string, 2>> duplicate_names;  // of duplicates.pairs
  size_t listed = 10;

  [[nodiscard]] std::string text() const;
  [[nodiscard]] Json to_json() const;
  [[nodiscard]] std::string page() const;  // one HTML file that needs no other
};

[[nodiscard]] DataSurvey survey_data(const std::vector<SurveyedSet>& sets,
                                     const SurveyRequest& request = {});

}  // namespace hearth
