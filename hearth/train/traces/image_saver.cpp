// Draws samples beside what they are and what the network makes of them: the first ones of each
// evaluation, so that pictures of different times compare, or with `when: train` those of an
// epoch's last batch.
#include "hearth/train/traces/image_saver.h"

#include "hearth/base/error.h"
#include "hearth/config/registry.h"
#include "hearth/train/picture_tensor.h"
#include "hearth/train/rows_trace.h"
#include "hearth/train/sample_pictures.h"

namespace hearth::traces {
namespace {

class ImageSaver : public RowsTrace {
 public:
  using Options = ImageSaverOptions;
  explicit ImageSaver(const Options& options)
      : RowsTrace(options.count, options.interval), options_(options) {}

  [[nodiscard]] std::vector<std::string> reads() const override {
    std::vector<std::string> keys = {options_.image};
    for (const std::string& key : {options_.target, options_.prediction})
      if (!key.empty()) keys.push_back(key);
    return keys;
  }
  void check(const std::vector<Spec>& inputs) const override {
    const std::vector<std::string> keys = reads();
    check_pictures({keys[0], inputs[0]});
    for (size_t i = 1; i < inputs.size(); ++i)
      if (inputs[i].is_per_batch || inputs[i].shape.size() > 3)
        throw GraphError("cannot draw '" + keys[i] + "', which is " + inputs[i].text() +
                         ". It draws classes and their scores, masks, boxes and pictures.");
  }
  [[nodiscard]] std::vector<std::string> writes(const std::string& set) const override {
    return {"images/" + options_.out + "." + set + "/step-<N>.png"};
  }

 protected:
  void show(const Happening& happening, const FirstRows& rows, RunControl& run) const override {
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

 private:
  Options options_;
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
