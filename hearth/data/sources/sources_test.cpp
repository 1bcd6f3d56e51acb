#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <thread>

#include <gtest/gtest.h>

#include "hearth/base/error.h"
#include "hearth/base/message_of_test.h"
#include "hearth/config/registry.h"
#include "hearth/data/bundled_data.h"
#include "hearth/data/sources/digits.h"
#include "hearth/data/sources/idx.h"
#include "hearth/data/sources/image_folder.h"
#include "hearth/data/sources/shapes.h"
#include "hearth/data/sources/synthetic.h"
#include "hearth/data/sources/text.h"
#include "hearth/format/idx.h"
#include "hearth/format/png.h"

namespace hearth {
namespace {

std::unique_ptr<Source> open(const Choice<Source>& choice) {
  auto source = registry<Source>().make(choice);
  source->open();
  return source;
}

struct Sample {
  std::vector<float> image;  // or its bytes
  int64_t label = -1;
};

Sample read(const Source& source, int64_t index) {
  Sample sample;
  const std::vector<KeySpec> keys = source.keys();
  std::vector<std::byte> image(static_cast<size_t>(keys[0].spec.bytes()));
  std::vector<Cell> cells = {Cell(image.data(), keys[0].spec)};
  if (keys.size() > 1)
    cells.emplace_back(reinterpret_cast<std::byte*>(&sample.label), keys[1].spec);
  source.read(index, cells);
  if (keys[0].spec.dtype == DType::kUint8)
    for (const uint8_t byte : cells[0].as<uint8_t>()) sample.image.push_back(byte);
  else
    for (const float value : cells[0].as<float>()) sample.image.push_back(value);
  return sample;
}

class TemporaryFolder {
 public:
  TemporaryFolder() : path_(std::filesystem::temp_directory_path() / "hearth-sources-XXXXXX") {
    std::string name = path_.string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("mkdtemp failed");
    path_ = name;
  }
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }
  [[nodiscard]] std::string file(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

void write_bytes(const std::string& path, std::vector<int64_t> dimensions,
                 const std::vector<uint8_t>& values) {
  IdxFile file{{IdxType::kUint8, std::move(dimensions)}, {}};
  for (const uint8_t value : values) file.data.push_back(std::byte{value});
  write_idx(path, file);
}

TEST(Digits, SaysWhatItYields) {
  const auto source = open(sources::digits({.split = "all"}));
  EXPECT_EQ(source->size(), 1797);
  EXPECT_EQ(source->keys()[0].key, "image");
  EXPECT_EQ(source->keys()[0].spec.text(), "uint8 [B, 8, 8, 1]");
  EXPECT_EQ(source->keys()[0].spec.role, Role::kImage);
  EXPECT_EQ(source->keys()[0].spec.image_range, (std::pair{0.0, 16.0}));
  EXPECT_EQ(source->keys()[1].spec.role, Role::kClass);
  EXPECT_EQ(source->keys()[1].spec.text(), "int64 [B], 10 classes");
  EXPECT_EQ(source->keys()[1].spec.class_names.back(), "9");
}

TEST(Digits, HoldsTheKnownFirstImage) {
  const Sample first = read(*open(sources::digits({.split = "all"})), 0);
  EXPECT_EQ(first.label, 0);
  const std::vector<float> line = {0, 0, 5, 13, 9, 1, 0, 0};
  for (size_t i = 0; i < 8; ++i) EXPECT_EQ(first.image[i], line[i]);
}

TEST(Digits, SplitsEveryFifthRunOfTenOff) {
  const auto all = open(sources::digits({.split = "all"}));
  const auto train = open(sources::digits());
  const auto test = open(sources::digits({.split = "test"}));
  EXPECT_EQ(train->size(), 1440);
  EXPECT_EQ(test->size(), 357);
  EXPECT_EQ(test->describe(356), "digits-images.idx3-ubyte.gz[1796]");
  std::vector<bool> seen(1797);
  for (int64_t i = 0; i < 1440; ++i) {
    const int64_t at = i / 40 * 50 + i % 40;
    EXPECT_NE(at / 10 % 5, 4);
    EXPECT_EQ(train->describe(i), all->describe(at));
    seen[static_cast<size_t>(at)] = true;
  }
  EXPECT_EQ(std::count(seen.begin(), seen.end(), true), 1440);
  EXPECT_EQ(read(*test, 13).image, read(*all, 93).image);
  EXPECT_EQ(read(*train, 41).image, read(*all, 51).image);
  EXPECT_NE(train->fingerprint(), test->fingerprint());
}

TEST(Digits, ReadsNoPixelsWhenOpened) {
  const TemporaryFolder folder;
  write_bytes(folder.file("digits-images.idx3-ubyte.gz"), {5, 8, 8}, std::vector<uint8_t>(320, 16));
  write_bytes(folder.file("digits-labels.idx1-ubyte.gz"), {5}, {1, 2, 3, 4, 5});
  const auto source = open(sources::digits(
      {.split = "all", .path = std::filesystem::path(folder.file("x")).parent_path()}));
  std::filesystem::resize_file(folder.file("digits-images.idx3-ubyte.gz"), 20);
  EXPECT_EQ(source->size(), 5);
  EXPECT_THROW((void)read(*source, 0), DataError);
}

TEST(BundledData, ListsThePlacesItLookedAt) {
  ASSERT_EQ(setenv("HEARTH_DATA", "/nowhere/at/all", 1), 0);
  const std::string message =
      message_of<DataError>([] { (void)find_bundled_data("no-such-file"); });
  const auto folders = bundled_data_folders();
  const auto digits_file = find_bundled_data("digits-images.idx3-ubyte.gz");
  unsetenv("HEARTH_DATA");
  ASSERT_EQ(folders.size(), 3U);
  EXPECT_EQ(message,
            "cannot find 'no-such-file', which comes with Hearth. Looked in: "
            "/nowhere/at/all, " +
                folders[1].string() + ", " + folders[2].string() +
                ". Set HEARTH_DATA to the folder that holds it.");
  EXPECT_TRUE(std::filesystem::exists(digits_file));
}

TEST(Idx, ReadsImagesAndLabels) {
  const TemporaryFolder folder;
  write_bytes(folder.file("i.gz"), {2, 1, 2}, {0, 255, 51, 102});
  write_bytes(folder.file("l"), {2}, {1, 0});
  const auto source = open(sources::idx({.images = folder.file("i.gz"),
                                         .labels = folder.file("l"),
                                         .classes = 2,
                                         .class_names = {"cat", "dog"}}));
  EXPECT_EQ(source->keys()[0].spec.text(), "uint8 [B, 1, 2, 1]");
  EXPECT_EQ(source->keys()[1].spec.class_names, (std::vector<std::string>{"cat", "dog"}));
  EXPECT_EQ(read(*source, 0).image, (std::vector<float>{0, 255}));
  EXPECT_EQ(read(*source, 1).image[0], 51);
  EXPECT_EQ(read(*source, 0).label, 1);
  EXPECT_EQ(source->describe(1), "i.gz[1]");
}

TEST(Idx, WorksWithoutLabels) {
  const TemporaryFolder folder;
  write_bytes(folder.file("i"), {1, 1, 1}, {255});
  const auto source = open(sources::idx({.images = folder.file("i")}));
  EXPECT_EQ(source->keys().size(), 1U);
  EXPECT_EQ(read(*source, 0).image, std::vector<float>{255});
}

TEST(Idx, SaysWhatIsWrongWithTheFiles) {
  const TemporaryFolder folder;
  const std::string images = folder.file("i");
  const std::string labels = folder.file("l");
  write_bytes(images, {2, 1, 1}, {0, 0});
  write_bytes(labels, {3}, {0, 9, 0});
  EXPECT_EQ(message_of<DataError>(
                [&] { (void)open(sources::idx({.images = images, .labels = labels})); }),
            labels + ": has 3 labels, but " + images + " has 2 images.");
  EXPECT_EQ(message_of<DataError>([&] { (void)open(sources::idx({.images = labels})); }),
            labels +
                ": expected images: bytes of [count, height, width], but it has 1 dimensions "
                "of 1-byte numbers.");
  write_bytes(labels, {2}, {0, 9});
  EXPECT_EQ(
      message_of<DataError>(
          [&] { (void)open(sources::idx({.images = images, .labels = labels, .classes = 9})); }),
      labels + ": label 1 is 9, but there are 9 classes. Set 'classes' to what the data has.");
}

TEST(Idx, NoticesOtherContentInItsFingerprint) {
  const TemporaryFolder folder;
  write_bytes(folder.file("i"), {1, 1, 1}, {1});
  const std::string before = open(sources::idx({.images = folder.file("i")}))->fingerprint();
  write_bytes(folder.file("i"), {1, 1, 1}, {2});
  EXPECT_NE(open(sources::idx({.images = folder.file("i")}))->fingerprint(), before);
}

TEST(Idx, ReadsAndFingerprintsWhatWasOpenedAlsoWhenItsFileIsGoneOrReplaced) {
  const TemporaryFolder folder;
  write_bytes(folder.file("i"), {1, 1, 1}, {255});
  const std::string truth = open(sources::idx({.images = folder.file("i")}))->fingerprint();
  const auto gone = open(sources::idx({.images = folder.file("i")}));
  std::filesystem::remove(folder.file("i"));
  EXPECT_EQ(gone->fingerprint(), truth);
  EXPECT_EQ(read(*gone, 0).image, std::vector<float>{255});
  write_bytes(folder.file("i"), {1, 1, 1}, {0});
  EXPECT_EQ(gone->fingerprint(), truth);
}

TEST(Idx, RefusesAFileThatSomeoneWroteIntoSinceItWasOpened) {
  const TemporaryFolder folder;
  write_bytes(folder.file("i"), {1, 1, 1}, {255});
  const auto source = open(sources::idx({.images = folder.file("i")}));
  std::ofstream(folder.file("i"), std::ios::app) << "more";
  const std::string words = folder.file("i") + ": changed since it was opened.";
  EXPECT_EQ(message_of<DataError>([&] { (void)source->fingerprint(); }), words);
  EXPECT_THROW((void)read(*source, 0), DataError);
}

TEST(Idx, LoadsOnceForManyThreads) {
  const auto source = open(sources::digits({.split = "all"}));
  std::vector<Sample> samples(8);
  std::vector<std::jthread> threads;
  for (auto& sample : samples) threads.emplace_back([&] { sample = read(*source, 1000); });
  threads.clear();
  for (const auto& sample : samples) EXPECT_EQ(sample.image, samples[0].image);
}

TEST(Synthetic, GivesTheSameSampleEveryTimeAndOthersForAnotherSeed) {
  const auto source = open(sources::synthetic({.size = 5, .shape = {2, 3}, .classes = 4}));
  const auto other =
      open(sources::synthetic({.size = 5, .shape = {2, 3}, .classes = 4, .seed = 1}));
  EXPECT_EQ(source->size(), 5);
  EXPECT_EQ(source->keys()[0].spec.text(), "float32 [B, 2, 3]");
  EXPECT_EQ(read(*source, 2).image, read(*source, 2).image);
  EXPECT_NE(read(*source, 2).image, read(*source, 3).image);
  EXPECT_NE(read(*source, 2).image, read(*other, 2).image);
  EXPECT_NE(source->fingerprint(), other->fingerprint());
  for (int64_t i = 0; i < 5; ++i) EXPECT_LT(read(*source, i).label, 4);
}

void write_text(const std::string& path, const std::string& content) {
  std::ofstream(path, std::ios::binary) << content;
}

// Both keys of a sample: the tokens, and those one ahead.
std::pair<std::vector<int64_t>, std::vector<int64_t>> read_tokens(const Source& source,
                                                                  int64_t index) {
  const auto length = static_cast<size_t>(source.keys()[0].spec.elements());
  std::vector<int64_t> tokens(length);
  std::vector<int64_t> next(length);
  const std::vector<KeySpec> keys = source.keys();
  source.read(index, std::vector<Cell>{{reinterpret_cast<std::byte*>(tokens.data()), keys[0].spec},
                                       {reinterpret_cast<std::byte*>(next.data()), keys[1].spec}});
  return {tokens, next};
}

TEST(Text, NumbersTheCharactersOfTheFileInOrder) {
  const TemporaryFolder folder;
  write_text(folder.file("t"), "ba\n\xC3 b");
  const auto source = open(sources::text({.file = folder.file("t"), .length = 2}));
  EXPECT_EQ(source->keys()[0].key, "tokens");
  EXPECT_EQ(source->keys()[1].key, "next");
  EXPECT_EQ(source->keys()[1].spec.text(), "int64 [B, 2], 5 classes");
  EXPECT_EQ(source->keys()[0].spec.class_names,
            (std::vector<std::string>{"\\n", " ", "a", "b", "\\xc3"}));
  EXPECT_EQ(source->size(), 2);
  using Tokens = std::vector<int64_t>;
  EXPECT_EQ(read_tokens(*source, 0), std::pair(Tokens({3, 2}), Tokens({2, 0})));
  EXPECT_EQ(read_tokens(*source, 1), std::pair(Tokens({0, 4}), Tokens({4, 1})));
  EXPECT_EQ(source->describe(1), "t[1]");
}

TEST(Text, KeepsTheEndOfTheFileForEvaluation) {
  const TemporaryFolder folder;
  write_text(folder.file("t"), "aaaaaaaaaaaabcde");
  const sources::TextOptions options = {.file = folder.file("t"), .length = 3, .eval_share = 0.25};
  const auto part = [&](const std::string& name) {
    sources::TextOptions own = options;
    own.part = name;
    return open(sources::text(own));
  };
  EXPECT_EQ(part("all")->size(), 5);
  EXPECT_EQ(part("train")->size(), 3);
  EXPECT_EQ(part("eval")->size(), 1);
  EXPECT_EQ(read_tokens(*part("eval"), 0).first, (std::vector<int64_t>{1, 2, 3}));
  EXPECT_EQ(part("train")->keys()[0].spec, part("eval")->keys()[0].spec);
  EXPECT_NE(part("train")->fingerprint(), part("eval")->fingerprint());
}

TEST(Text, SaysWhatIsWrongWithTheFile) {
  const TemporaryFolder folder;
  const std::string file = folder.file("t");
  const auto fault = [&](const sources::TextOptions& options) {
    return message_of<DataError>([&] { (void)open(sources::text(options)); });
  };
  EXPECT_EQ(fault({.file = file}), "Cannot open '" + file + "': No such file or directory.");
  write_text(file, "");
  EXPECT_EQ(fault({.file = file}), file + ": is empty, but text was expected.");
  write_text(file, "0123456789");
  EXPECT_EQ(fault({.file = file, .length = 9, .part = "train"}),
            file +
                ": part 'train' has 9 characters, but one sample needs 10. Use a smaller "
                "length, another eval_share, or a longer file.");
}

TEST(Sources, RefuseOptionsThatDoNotFit) {
  EXPECT_THROW((void)open(sources::idx({.images = "i", .classes = 3, .class_names = {"a"}})),
               ConfigError);
}

// All keys of one sample of `shapes`.
struct DrawnSample {
  DrawnSample(const Source& source, int64_t index)
      : image(3 * 16 * 16), mask(16 * 16), same(image.size()), different(image.size()) {
    const std::vector<void*> to = {image.data(), mask.data(), &shape,
                                   &color,       same.data(), different.data()};
    const std::vector<KeySpec> keys = source.keys();
    std::vector<Cell> cells;
    for (size_t i = 0; i < to.size(); ++i)
      cells.emplace_back(static_cast<std::byte*>(to[i]), keys[i].spec);
    source.read(index, cells);
  }
  std::vector<uint8_t> image;
  std::vector<int64_t> mask;
  int64_t shape = -1;
  int64_t color = -1;
  std::vector<uint8_t> same;
  std::vector<uint8_t> different;
};

TEST(Shapes, MaskShowsWhereTheShapeIs) {
  const auto source = open(sources::shapes({.size = 40, .side = 16, .noise = 0}));
  std::vector<int64_t> counts(3);
  for (int64_t i = 0; i < source->size(); ++i) {
    const DrawnSample sample(*source, i);
    ++counts.at(static_cast<size_t>(sample.shape));
    for (size_t point = 0; point < sample.mask.size(); ++point) {
      const bool has_ink = sample.image[3 * point] + sample.image[3 * point + 1] > 0;
      EXPECT_EQ(sample.mask[point], has_ink ? sample.shape + 1 : 0) << i << " at " << point;
    }
  }
  for (const int64_t count : counts) EXPECT_GT(count, 4);
}

TEST(Shapes, AreAlwaysTheSameAndSeedsGiveOthers) {
  const auto source = open(sources::shapes({.size = 4, .side = 16}));
  const auto other = open(sources::shapes({.size = 4, .side = 16, .seed = 1}));
  EXPECT_EQ(DrawnSample(*source, 2).image, DrawnSample(*source, 2).image);
  EXPECT_NE(DrawnSample(*source, 2).image, DrawnSample(*source, 3).image);
  EXPECT_NE(DrawnSample(*source, 2).image, DrawnSample(*other, 2).image);
  EXPECT_NE(DrawnSample(*source, 2).same, DrawnSample(*source, 2).image);
  EXPECT_NE(source->fingerprint(), other->fingerprint());
}

TEST(ImageFolder, TellsAFileThatWasReplacedByOneOfItsSize) {
  const auto folder = std::filesystem::path(testing::TempDir()) / "replaced_pictures";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder / "one");
  const auto fingerprint_with = [&](uint8_t gray) {
    std::ofstream(folder / "one" / "a.png", std::ios::binary)
        << encode_png({2, 2, 1, {gray, gray, 0, gray}});
    auto source = registry<Source>().make(sources::image_folder({.folder = folder.string()}));
    source->open();
    return source->fingerprint();
  };
  const std::string before = fingerprint_with(10);
  EXPECT_EQ(before, fingerprint_with(10));
  EXPECT_NE(before, fingerprint_with(200));
}

}  // namespace
}  // namespace hearth
