// The four corners and the middle of an image, a key for each: a network calls its model on them as
// on any other images.
#include "hearth/data/ops/image/five_crop.h"

#include <set>

#include "hearth/base/error.h"
#include "hearth/config/registry.h"
#include "hearth/data/geometry/moved_keys.h"
#include "hearth/data/geometry/window_transform.h"

namespace hearth::sample_ops {

namespace {

class FiveCrop : public SampleOp {
 public:
  using Options = FiveCropOptions;
  explicit FiveCrop(Options options)
      : options_(std::move(options)), keys_("five_crop", {options_.key}) {}

  std::vector<std::string> reads() const override { return keys_.all(); }
  std::vector<std::string> writes() const override { return options_.into; }

  std::vector<Spec> infer(const std::vector<Spec>& inputs) const override {
    const ImageSize image = keys_.size_of(inputs);
    const ImageSize size = image_size(options_.size);
    const auto is_short = [](int64_t side, int64_t wanted) {
      return side != kAnyLength && side < wanted;
    };
    if (is_short(image.height, size.height) || is_short(image.width, size.width))
      throw GraphError("five_crop: the image is " + inputs[0].text() + ", smaller than the crop. " +
                       kAdvice);
    return std::vector<Spec>(options_.into.size(), keys_.specs(inputs, size)[0]);
  }

  void run(Random&, std::span<const View> inputs, std::span<const Cell> outputs) const override {
    const ImageSize image = keys_.size_of(inputs);
    const ImageSize size = image_size(options_.size);
    const int64_t down = image.height - size.height;
    const int64_t across = image.width - size.width;
    if (down < 0 || across < 0)
      throw DataError("the image is " + std::to_string(image.height) + " x " +
                      std::to_string(image.width) + ", smaller than the crop. " + kAdvice);
    const ImageWindow windows[] = {{0, 0, size},
                                   {0, across, size},
                                   {down, 0, size},
                                   {down, across, size},
                                   {middle_start(down), middle_start(across), size}};
    for (size_t k = 0; k < outputs.size(); ++k)
      keys_.move(WindowTransform(windows[k]), inputs, outputs.subspan(k, 1));
  }

 private:
  static constexpr const char* kAdvice = "Put resize or pad_to before it.";
  Options options_;
  MovedKeys keys_;
};

}  // namespace

const Schema<FiveCropOptions>& FiveCropOptions::schema() {
  using O = FiveCropOptions;
  static const auto schema = [] {
    Schema<O> fields;
    fields.field(&O::key, "key", "The image.", not_empty());
    add_size_field(fields);
    fields
        .field(&O::into, "into",
               "The keys of the crops: top left, top right, bottom left, bottom right, middle.")
        .check("'into' must name five different keys.", [](const O& options) {
          return options.into.size() == 5 &&
                 std::set<std::string>(options.into.begin(), options.into.end()).size() == 5;
        });
    return fields;
  }();
  return schema;
}

Choice<SampleOp> five_crop(const FiveCropOptions& options) {
  return choose<SampleOp>("five_crop", options);
}

void register_five_crop(Registry<SampleOp>& registry) {
  registry.add<FiveCrop>("five_crop", "The four corners and the middle of an image, a key each.");
}

}  // namespace hearth::sample_ops
