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
#include "hearth/data/sources/synthetic.h"
#include "hearth/data/sources/text.h"
#include "hearth/format/idx.h"

namespace hearth {
namespace {

std::unique_ptr<Source> open(const Choice<Source>& choice) {
  auto source = registry<Source>().make(choice);
  source->open();
  return source;
}

struct Sample {
  std::vector<float> image;
  int64_t label = -1;
};

Sample read(const Source& source, int64_t index) {
  Sample sample;
  sample.image.resize(static_cast<size_t>(source.keys()[0].spec.elements()));
  std::vector<std::byte*> to = {reinterpret_cast<std::byte*>(sample.image.data())};
  if (source.keys().size() > 1) to.push_back(reinterpret_cast<std::byte*>(&sample.label));
  source.read(index, to);
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
  const auto source = open(digits({.split = "all"}));
  EXPECT_EQ(source->size(), 1797);
  EXPECT_EQ(source->keys()[0].key, "image");
  EXPECT_EQ(source->keys()[0].spec.text(), "float32 [B, 1, 8, 8]");
  EXPECT_EQ(source->keys()[0].spec.image_range, (std::pair{0.0, 1.0}));
  EXPECT_EQ(source->keys()[1].spec.text(), "int64 [B], 10 classes");
  EXPECT_EQ(source->keys()[1].spec.class_names.back(), "9");
}

TEST(Digits, HoldsTheKnownFirstImage) {
  const Sample first = read(*open(digits({.split = "all"})), 0);
  EXPECT_EQ(first.label, 0);
  const std::vector<float> line = {0, 0, 5, 13, 9, 1, 0, 0};
  for (size_t i = 0; i < 8; ++i) EXPECT_EQ(first.image[i], line[i] / 16);
}

TEST(Digits, SplitsEveryFifthRunOfTenOff) {
  const auto all = open(digits({.split = "all"}));
  const auto train = open(digits());
  const auto test = open(digits({.split = "test"}));
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
  const auto source =
      open(digits({.split = "all", .path = std::filesystem::path(folder.file("x")).parent_path()}));
  std::filesystem::remove(folder.file("digits-images.idx3-ubyte.gz"));
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
  const auto source = open(idx({.images = folder.file("i.gz"),
                                .labels = folder.file("l"),
                                .classes = 2,
                                .class_names = {"cat", "dog"}}));
  EXPECT_EQ(source->keys()[0].spec.text(), "float32 [B, 1, 1, 2]");
  EXPECT_EQ(source->keys()[1].spec.class_names, (std::vector<std::string>{"cat", "dog"}));
  EXPECT_EQ(read(*source, 0).image, (std::vector<float>{0, 1}));
  EXPECT_FLOAT_EQ(read(*source, 1).image[0], 0.2F);
  EXPECT_EQ(read(*source, 0).label, 1);
  EXPECT_EQ(source->describe(1), "i.gz[1]");
}

TEST(Idx, WorksWithoutLabels) {
  const TemporaryFolder folder;
  write_bytes(folder.file("i"), {1, 1, 1}, {255});
  const auto source = open(idx({.images = folder.file("i")}));
  EXPECT_EQ(source->keys().size(), 1U);
  EXPECT_EQ(read(*source, 0).image, std::vector<float>{1});
}

TEST(Idx, SaysWhatIsWrongWithTheFiles) {
  const TemporaryFolder folder;
  const std::string images = folder.file("i");
  const std::string labels = folder.file("l");
  write_bytes(images, {2, 1, 1}, {0, 0});
  write_bytes(labels, {3}, {0, 9, 0});
  EXPECT_EQ(message_of<DataError>([&] { (void)open(idx({.images = images, .labels = labels})); }),
            labels + ": has 3 labels, but " + images + " has 2 images.");
  EXPECT_EQ(message_of<DataError>([&] { (void)open(idx({.images = labels})); }),
            labels +
                ": expected images: bytes of [count, height, width], but it has 1 dimensions "
                "of 1-byte numbers.");
  write_bytes(labels, {2}, {0, 9});
  const auto source = open(idx({.images = images, .labels = labels, .classes = 9}));
  EXPECT_EQ(message_of<DataError>([&] { (void)read(*source, 1); }),
            "label 9, but there are 9 classes. Set 'classes' to what the data has.");
}

TEST(Idx, NoticesOtherContentInItsFingerprint) {
  const TemporaryFolder folder;
  write_bytes(folder.file("i"), {1, 1, 1}, {1});
  const std::string before = open(idx({.images = folder.file("i")}))->fingerprint();
  write_bytes(folder.file("i"), {1, 1, 1}, {2});
  EXPECT_NE(open(idx({.images = folder.file("i")}))->fingerprint(), before);
}

TEST(Idx, LoadsOnceForManyThreads) {
  const auto source = open(digits({.split = "all"}));
  std::vector<Sample> samples(8);
  std::vector<std::jthread> threads;
  for (auto& sample : samples) threads.emplace_back([&] { sample = read(*source, 1000); });
  threads.clear();
  for (const auto& sample : samples) EXPECT_EQ(sample.image, samples[0].image);
}

TEST(Synthetic, GivesTheSameSampleEveryTimeAndOthersForAnotherSeed) {
  const auto source = open(synthetic({.size = 5, .shape = {2, 3}, .classes = 4}));
  const auto other = open(synthetic({.size = 5, .shape = {2, 3}, .classes = 4, .seed = 1}));
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
  const std::vector<std::byte*> to = {reinterpret_cast<std::byte*>(tokens.data()),
                                      reinterpret_cast<std::byte*>(next.data())};
  source.read(index, to);
  return {tokens, next};
}

TEST(Text, NumbersTheCharactersOfTheFileInOrder) {
  const TemporaryFolder folder;
  write_text(folder.file("t"), "ba\n\xC3 b");
  const auto source = open(text({.file = folder.file("t"), .length = 2}));
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
  const TextOptions options = {.file = folder.file("t"), .length = 3, .eval_share = 0.25};
  const auto part = [&](const std::string& name) {
    TextOptions own = options;
    own.part = name;
    return open(text(own));
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
  const auto fault = [&](const TextOptions& options) {
    return message_of<DataError>([&] { (void)open(text(options)); });
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
  EXPECT_THROW((void)open(synthetic({.shape = {3, 0}})), ConfigError);
  EXPECT_THROW((void)open(idx({.images = "i", .classes = 3, .class_names = {"a"}})), ConfigError);
}

}  // namespace
}  // namespace hearth
