// The bundled digits, split by a fixed rule.
#include "hearth/data/sources/digits.h"

#include <algorithm>

#include <utility>

#include "hearth/config/registry.h"
#include "hearth/data/bundled_data.h"
#include "hearth/data/idx_pair.h"

namespace hearth::sources {

namespace {

constexpr int64_t kDigitsTrainRun = 40;
constexpr int64_t kDigitsTestRun = 10;
constexpr int64_t kDigitsCycle = kDigitsTrainRun + kDigitsTestRun;
constexpr int64_t kDigitsClasses = 10;
constexpr double kDigitsWhite = 16;  // the files hold 0 to 16
constexpr const char* kDigitsImages = "digits-images.idx3-ubyte.gz";
constexpr const char* kDigitsLabels = "digits-labels.idx1-ubyte.gz";

class Digits : public Source {
 public:
  using Options = DigitsOptions;
  explicit Digits(Options options) : options_(std::move(options)) {}

  void open() override {
    const std::filesystem::path folder = options_.path;
    files_.open(folder.empty() ? find_bundled_data(kDigitsImages) : folder / kDigitsImages,
                folder.empty() ? find_bundled_data(kDigitsLabels) : folder / kDigitsLabels,
                kDigitsClasses);
  }

  std::vector<KeySpec> keys() const override {
    Spec image{.dtype = DType::kUint8, .shape = {files_.height(), files_.width(), 1}};
    image.role = Role::kImage;
    image.image_range = {0.0, kDigitsWhite};
    Spec label{.dtype = DType::kInt64, .classes = kDigitsClasses};
    label.role = Role::kClass;
    for (int digit = 0; digit < kDigitsClasses; ++digit)
      label.class_names.push_back(std::to_string(digit));
    return {{"image", image}, {"label", label}};
  }

  int64_t size() const override {
    const int64_t all = files_.size();
    if (options_.split == "all") return all;
    const int64_t test = all / kDigitsCycle * kDigitsTestRun +
                         std::max<int64_t>(all % kDigitsCycle - kDigitsTrainRun, 0);
    return options_.split == "test" ? test : all - test;
  }

  void read(int64_t index, std::span<const Cell> cells) const override {
    const int64_t at = file_index(index);
    if (cells[0].is_wanted()) files_.read_image(at, cells[0].as<uint8_t>());
    if (cells[1].is_wanted()) cells[1].set(files_.label(at, kDigitsClasses));
  }

  uint64_t resident_bytes() const override { return files_.resident_bytes(); }
  std::string fingerprint() const override {
    return "digits:" + options_.split + ":" + files_.fingerprint();
  }
  std::string describe(int64_t index) const override { return files_.describe(file_index(index)); }

 private:
  // Forty to train on, ten to test on, and so on: the file runs through the digits about in order,
  // so that both splits hold about as many of each.
  [[nodiscard]] int64_t file_index(int64_t index) const {
    if (options_.split == "all") return index;
    if (options_.split == "test")
      return index / kDigitsTestRun * kDigitsCycle + kDigitsTrainRun + index % kDigitsTestRun;
    return index / kDigitsTrainRun * kDigitsCycle + index % kDigitsTrainRun;
  }

  Options options_;
  IdxPair files_;
};

}  // namespace

const Schema<DigitsOptions>& DigitsOptions::schema() {
  using O = DigitsOptions;
  static const auto schema =
      Schema<O>()
          .field(&O::split, "split", "Which part: every fifth run of ten images is for testing.",
                 one_of({"train", "test", "all"}))
          .field(&O::path, "path",
                 "Folder that holds digits-images.idx3-ubyte.gz and digits-labels.idx1-ubyte.gz; "
                 "empty for the files that come with Hearth.",
                 is_path());
  return schema;
}

Choice<Source> digits(DigitsOptions options) { return choose<Source>("digits", options); }

void register_digits(Registry<Source>& registry) {
  registry.add<Digits>("digits", "1,797 handwritten digits of 8x8 pixels, in the box.");
}

}  // namespace hearth::sources
