// Draws samples beside what they are and what the network makes of them: the first ones of each
// evaluation, so that pictures of different times compare, or with `when: train` those of an
// epoch's last batch.
#include "hearth/train/traces/image_saver.h"

#include <nlohmann/json.hpp>

#include "hearth/base/error.h"
#include "hearth/config/registry.h"
#include "hearth/train/first_rows.h"
#include "hearth/train/picture_tensor.h"
#include "hearth/train/sample_pictures.h"
#include "hearth/train/trace.h"

namespace hearth::traces {
namespace {

class ImageSaver : public Trace {
 public:
  using Options = ImageSaverOptions;
  explicit ImageSaver(Options options)
      : options_(std::move(options)), training_(options_.count), evaluation_(options_.count) {}

  [[nodiscard]] std::vector<std::string> reads() const override {
    std::vector<std::string> keys = {options_.image};
    for (const std::string& key : {options_.target, options_.prediction})
      if (!key.empty()) keys.push_back(key);
    return keys;
  }
  void check(const std::vector<Spec>& inputs) const override {
    const std::vector<std::string> keys = reads();
    if (inputs[0].is_per_batch || inputs[0].shape.size() < 2 || inputs[0].shape.size() > 3)
      throw GraphError("wants pictures in '" + keys[0] + "', but it is " + inputs[0].text() + ".");
    for (size_t i = 1; i < inputs.size(); ++i)
      if (inputs[i].is_per_batch || inputs[i].shape.size() > 3)
        throw GraphError("cannot draw '" + keys[i] + "', which is " + inputs[i].text() +
                         ". It draws classes and their scores, masks, boxes and pictures.");
  }
  [[nodiscard]] std::vector<Interest> interests() const override {
    return {{Occasion::kEvaluationBegin, {}, options_.interval},
            {Occasion::kBatchEnd, Mode::kEval, options_.interval},
            {Occasion::kEvaluationEnd, {}, options_.interval},
            {Occasion::kEpochEnd}};
  }

  void hear(const Happening& happening, RunControl& run) override {
    FirstRows& rows = happening.mode == Mode::kTrain ? training_ : evaluation_;
    if (happening.occasion == Occasion::kBatchEnd) return rows.add(happening);
    if (happening.occasion != Occasion::kEvaluationBegin && !rows.is_empty())
      save(happening, rows, run);
    rows.clear();
  }

  // An evaluation begins anew after a resume, so that nothing of one is kept.
  [[nodiscard]] Json state() const override { return training_.state(); }
  void restore(const Json& state) override { training_.restore(state); }
  [[nodiscard]] std::vector<NamedTensor> tensors() const override { return training_.tensors(); }
  void restore_tensors(const State& state) override { training_.restore_tensors(state); }

 private:
  void save(const Happening& happening, const FirstRows& rows, RunControl& run) const {
    const std::vector<at::Tensor> values = rows.values();
    size_t next = 1;
    const auto taken = [&](const std::string& key) {
      if (key.empty()) return ShownValue();
      const ShownValue value{values[next], rows.specs()[next]};
      ++next;
      return value;
    };
    const ShownValue image{values[0], rows.specs()[0]};
    const ShownValue target = taken(options_.target);
    const ShownValue prediction = taken(options_.prediction);
    const std::string title = happening.set + ", step " + std::to_string(happening.step);
    (void)run.save_image(options_.out + "." + happening.set,
                         tensor_of(drawn_samples(image, target, prediction, title)));
  }

  Options options_;
  FirstRows training_;
  FirstRows evaluation_;
};

}  // namespace

const Schema<ImageSaverOptions>& ImageSaverOptions::schema() {
  using O = ImageSaverOptions;
  static const auto schema =
      Schema<O>()
          .field(&O::image, "image", "Key of the pictures.", not_empty())
          .field(&O::target, "target",
                 "Key of what they are: a class, a mask, boxes, a picture; '' for none.")
          .field(&O::prediction, "prediction",
                 "Key of what the network makes of them: scores of classes, of a mask's classes, "
                 "boxes, a picture; '' for none.")
          .field(&O::count, "count", "Samples to draw.", at_least(1), at_most(1024))
          .field(&O::interval, "interval", "How often: 1ep, 5ep.", above(0))
          .field(&O::out, "out", "Name of its pictures in the run folder, before the set's.",
                 not_empty(), file_name());
  return schema;
}

Choice<Trace> image_saver(ImageSaverOptions options) {
  return choose<Trace>("image_saver", options);
}

void register_image_saver(Registry<Trace>& registry) {
  registry.add<ImageSaver>("image_saver",
                           "Draws samples with targets and predictions: classes, masks, boxes.");
}

}  // namespace hearth::traces
