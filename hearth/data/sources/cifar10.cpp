// CIFAR-10 from its binary files: `image` in bytes, and `label`.
#include "hearth/data/sources/cifar10.h"

#include <array>

#include "hearth/config/registry.h"
#include "hearth/data/cifar_files.h"
#include "hearth/data/image_files.h"

namespace hearth::sources {

namespace {

const std::vector<std::string> kCifar10Classes = {
    "airplane", "automobile", "bird", "cat", "deer", "dog", "frog", "horse", "ship", "truck"};

class Cifar10 : public Source {
 public:
  using Options = Cifar10Options;
  explicit Cifar10(Options options) : options_(std::move(options)) {}

  void open() override {
    if (options_.split == "test")
      files_.open(options_.folder, {"test_batch.bin"});
    else
      files_.open(options_.folder, {"data_batch_1.bin", "data_batch_2.bin", "data_batch_3.bin",
                                    "data_batch_4.bin", "data_batch_5.bin"});
  }
  std::vector<KeySpec> keys() const override {
    return {{"image", cifar_image_spec()}, {"label", class_spec(kCifar10Classes)}};
  }
  int64_t size() const override { return files_.size(); }
  void read(int64_t index, std::span<const Cell> cells) const override {
    constexpr std::array<int64_t, 1> kClasses = {10};
    files_.read(index, kClasses, cells);
  }
  std::string fingerprint() const override { return "cifar10:" + files_.digest(); }
  std::string describe(int64_t index) const override { return files_.describe(index); }

 private:
  Options options_;
  CifarFiles files_{1};
};

}  // namespace

const Schema<Cifar10Options>& Cifar10Options::schema() {
  using O = Cifar10Options;
  static const auto schema =
      Schema<O>()
          .field(&O::folder, "folder",
                 "The unpacked binary version: data_batch_1.bin to 5 and test_batch.bin.",
                 is_path(), required(), not_empty())
          .field(&O::split, "split", "The 50,000 images to train with, or the 10,000 to test with.",
                 one_of({"train", "test"}));
  return schema;
}

Choice<Source> cifar10(Cifar10Options options) { return choose<Source>("cifar10", options); }

void register_cifar10(Registry<Source>& registry) {
  registry.add<Cifar10>("cifar10", "CIFAR-10: small photographs of ten classes, from its files.");
}

}  // namespace hearth::sources
