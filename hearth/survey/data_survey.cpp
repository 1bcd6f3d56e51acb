// Looks at every set: once through all samples for numbers, once at a few for pictures.
#include "hearth/survey/data_survey.h"

#include <algorithm>

#include "hearth/data/ops/image/decode.h"
#include "hearth/survey/picture_grid.h"

namespace hearth {
namespace {

// The ops before the first that scales numbers or fills in missing ones: what it gets is what its
// options must be taken from.
std::vector<Choice<SampleOp>> ops_before_scaling(const std::vector<Choice<SampleOp>>& ops) {
  const auto end = std::find_if(ops.begin(), ops.end(), [](const Choice<SampleOp>& op) {
    return op.name() == "normalize" || op.name() == "standardize" || op.name() == "impute";
  });
  return {ops.begin(), end};
}

// Only `decode`: pictures as their files have them.
std::vector<Choice<SampleOp>> ops_that_decode(const std::vector<Choice<SampleOp>>& ops) {
  std::vector<Choice<SampleOp>> first;
  for (const Choice<SampleOp>& op : ops)
    if (op.name() == "decode") first.push_back(op);
  return first;
}

// Pictures that no op decodes are decoded behind all ops: else nobody sees them, nor that a file is
// broken.
WalkRequest that_decodes(WalkRequest request) {
  const std::vector<KeySpec> keys = SampleWalk(request).keys();
  for (const KeySpec& key : keys)
    if (key.spec.role == Role::kEncodedImage)
      request.ops.push_back(sample_ops::decode({.key = key.key}));
  return request;
}

bool tells_samples_apart(const KeySpec& key) { return key.spec.role != Role::kClass; }

// The summaries of a set, and the prints of its samples.
class SetLook {
 public:
  SetLook(const SampleWalk& walk, size_t set) : set_(set) {
    for (const KeySpec& key : walk.keys()) surveys_.emplace_back(key);
  }

  void add(int64_t sample, std::span<const View> values) {
    PrintedSample printed{.set = set_, .sample = sample};
    std::vector<View> content;
    for (size_t k = 0; k < values.size(); ++k) {
      surveys_[k].add(values[k]);
      if (!tells_samples_apart(surveys_[k].key())) continue;
      content.push_back(values[k]);
      if (!printed.picture) printed.picture = picture_print(values[k]);
    }
    if (content.empty()) return;
    printed.exact = exact_print(content);
    prints_.push_back(printed);
  }

  [[nodiscard]] std::vector<KeySurvey> finished() {
    for (KeySurvey& survey : surveys_) survey.finish();
    return std::move(surveys_);
  }
  [[nodiscard]] const std::vector<PrintedSample>& prints() const { return prints_; }

 private:
  size_t set_;
  std::vector<KeySurvey> surveys_;
  std::vector<PrintedSample> prints_;
};

Image grid_of(const WalkRequest& request) {
  const SampleWalk walk(request);
  PictureGrid grid(walk.keys(), walk.samples());
  (void)walk.visit([&](int64_t, std::span<const View> values) { grid.add(values); });
  return grid.image();
}

}  // namespace

DataSurvey survey_data(const std::vector<SurveyedSet>& sets, const SurveyRequest& request) {
  DataSurvey result;
  result.listed = request.listed;
  std::vector<PrintedSample> prints;
  for (size_t s = 0; s < sets.size(); ++s) {
    const SurveyedSet& set = sets[s];
    SetSurvey found;
    found.name = set.name;
    found.samples = set.walk.source->size();
    found.source_keys = set.walk.source->keys();

    WalkRequest plain = set.walk;
    plain.ops = ops_before_scaling(set.walk.ops);
    // Without what only training does, such as random crops.
    plain.mode = Mode::kEval;
    const SampleWalk walk(that_decodes(plain));
    SetLook look(walk, s);
    found.looked_at = walk.samples();
    found.broken =
        walk.visit([&](int64_t sample, std::span<const View> values) { look.add(sample, values); },
                   [&](int64_t done, int64_t all) {
                     if (request.progress) request.progress(set.name, done, all);
                   });
    found.keys = look.finished();
    prints.insert(prints.end(), look.prints().begin(), look.prints().end());

    WalkRequest few = set.walk;
    few.samples = request.pictures;
    found.final_keys = SampleWalk(few).keys();
    found.after = grid_of(few);
    few.ops = ops_that_decode(set.walk.ops);
    found.before = grid_of(that_decodes(few));
    result.sets.push_back(std::move(found));
  }
  result.duplicates = find_duplicates(prints, request.listed);
  const auto name_of = [&](const PrintedSample& sample) {
    return sets[sample.set].name + ": " + sets[sample.set].walk.source->describe(sample.sample);
  };
  for (const DuplicatePair& pair : result.duplicates.pairs)
    result.duplicate_names.push_back({name_of(pair.first), name_of(pair.second)});
  return result;
}

}  // namespace hearth
