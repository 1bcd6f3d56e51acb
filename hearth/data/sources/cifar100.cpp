// CIFAR-100 from its binary files: `image` in bytes, `label` of 100 classes and `group` of 20.
#include "hearth/data/sources/cifar100.h"

#include <array>

#include "hearth/base/text.h"
#include "hearth/config/registry.h"
#include "hearth/data/cifar_files.h"
#include "hearth/data/image_files.h"

namespace hearth::sources {

namespace {

const std::vector<std::string>& cifar100_classes() {
  static const std::vector<std::string> names = split(
      "apple aquarium_fish baby bear beaver bed bee beetle bicycle bottle bowl boy bridge bus "
      "butterfly camel can castle caterpillar cattle chair chimpanzee clock cloud cockroach couch "
      "crab crocodile cup dinosaur dolphin elephant flatfish forest fox girl hamster house "
      "kangaroo keyboard lamp lawn_mower leopard lion lizard lobster man maple_tree motorcycle "
      "mountain mouse mushroom oak_tree orange orchid otter palm_tree pear pickup_truck pine_tree "
      "plain plate poppy porcupine possum rabbit raccoon ray road rocket rose sea seal shark shrew "
      "skunk skyscraper snail snake spider squirrel streetcar sunflower sweet_pepper table tank "
      "telephone television tiger tractor train trout tulip turtle wardrobe whale willow_tree wolf "
      "woman worm",
      ' ');
  return names;
}

const std::vector<std::string>& cifar100_groups() {
  static const std::vector<std::string> names = split(
      "aquatic_mammals fish flowers food_containers fruit_and_vegetables "
      "household_electrical_devices household_furniture insects large_carnivores "
      "large_man-made_outdoor_things large_natural_outdoor_scenes large_omnivores_and_herbivores "
      "medium_mammals non-insect_invertebrates people reptiles small_mammals trees vehicles_1 "
      "vehicles_2",
      ' ');
  return names;
}

class Cifar100 : public Source {
 public:
  using Options = Cifar100Options;
  explicit Cifar100(Options options) : options_(std::move(options)) {}

  void open() override { files_.open(options_.folder, {options_.split + ".bin"}); }
  std::vector<KeySpec> keys() const override {
    return {{"image", cifar_image_spec()},
            {"group", class_spec(cifar100_groups())},
            {"label", class_spec(cifar100_classes())}};
  }
  int64_t size() const override { return files_.size(); }
  void read(int64_t index, std::span<const Cell> cells) const override {
    constexpr std::array<int64_t, 2> kClasses = {20, 100};
    files_.read(index, kClasses, cells);
  }
  std::string fingerprint() const override { return "cifar100:" + files_.digest(); }
  std::string describe(int64_t index) const override { return files_.describe(index); }

 private:
  Options options_;
  CifarFiles files_{2};
};

}  // namespace

const Schema<Cifar100Options>& Cifar100Options::schema() {
  using O = Cifar100Options;
  static const auto schema =
      Schema<O>()
          .field(&O::folder, "folder", "The unpacked binary version: train.bin and test.bin.",
                 is_path(), required(), not_empty())
          .field(&O::split, "split", "The 50,000 images to train with, or the 10,000 to test with.",
                 one_of({"train", "test"}));
  return schema;
}

Choice<Source> cifar100(Cifar100Options options) { return choose<Source>("cifar100", options); }

void register_cifar100(Registry<Source>& registry) {
  registry.add<Cifar100>(
      "cifar100", "CIFAR-100: small photographs of 100 classes in 20 groups, from its files.");
}

}  // namespace hearth::sources
