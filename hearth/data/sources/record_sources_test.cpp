#include <gtest/gtest.h>

#include <cstdlib>
#include <deque>
#include <fstream>
#include <nlohmann/json.hpp>

#include "hearth/base/error.h"
#include "hearth/base/files.h"
#include "hearth/base/message_of_test.h"
#include "hearth/config/registry.h"
#include "hearth/data/offset_index.h"
#include "hearth/data/scratch_folder_test.h"
#include "hearth/data/shards.h"
#include "hearth/data/sources/json_lines.h"
#include "hearth/data/sources/text.h"
#include "hearth/data/sources/text_lines.h"
#include "hearth/data/sources/tfrecord.h"
#include "hearth/data/sources/wav_folder.h"
#include "hearth/data/sources/webdataset.h"
#include "hearth/data/tokenizers/words.h"
#include "hearth/format/gzip.h"
#include "hearth/format/wav.h"

namespace hearth {
namespace {

const std::string kCorpus = std::string(HEARTH_SOURCE_DIR) + "/tests/corpus/";

std::unique_ptr<Source> opened(const Choice<Source>& choice) {
  auto source = registry<Source>().make(choice);
  source->open();
  return source;
}

std::string open_fault(const Choice<Source>& choice) {
  return message_of<Error>([&] { (void)opened(choice); });
}

// A sample's values by key.
class Sample {
 public:
  Sample(const Source& source, int64_t index) : keys_(source.keys()) {
    std::vector<Cell> cells;
    for (const KeySpec& key : keys_) {
      values_.emplace_back(memory_);
      if (!key.spec.is_ragged()) values_.back().take(key.spec.shape, key.spec);
      cells.push_back(key.spec.is_ragged() ? Cell(values_.back(), key.spec)
                                           : Cell(values_.back().data(), key.spec));
    }
    source.read(index, cells);
    for (const Cell& cell : cells) views_.push_back(cell.view());
  }
  template <class T>
  [[nodiscard]] std::vector<T> values(const std::string& key) const {
    for (size_t k = 0; k < keys_.size(); ++k)
      if (keys_[k].key == key) {
        const auto found = views_[k].as<T>();
        return {found.begin(), found.end()};
      }
    return {};
  }
  [[nodiscard]] std::string text(const std::string& key) const {
    const auto letters = values<char>(key);
    return {letters.begin(), letters.end()};
  }

 private:
  std::vector<KeySpec> keys_;
  RaggedMemory memory_;
  std::deque<RaggedValue> values_;
  std::vector<View> views_;
};

std::string keys_text(const Source& source) {
  std::string text;
  for (const KeySpec& key : source.keys()) text += key.key + " " + key.spec.text() + "; ";
  return text;
}

TEST(JsonLines, YieldsTextNumbersAndClasses) {
  const auto source = opened(sources::json_lines({.file = kCorpus + "json_lines/small.jsonl",
                                                  .text = {"review"},
                                                  .number = {"stars", "where"},
                                                  .classes = {"kind", "group"}}));
  EXPECT_EQ(source->size(), 9);
  EXPECT_EQ(keys_text(*source),
            "review uint8 [B, ?]; stars float32 [B]; where float32 [B, 2]; kind int64 [B], 2 "
            "classes; group int64 [B], 4 classes; ");
  EXPECT_EQ(source->keys()[3].spec.class_names, (std::vector<std::string>{"bad", "good"}));
  const Sample sample(*source, 3);
  EXPECT_EQ(sample.text("review"), "text 3 \xC3\xA9");
  EXPECT_EQ(sample.values<float>("stars"), std::vector<float>{1.5F});
  EXPECT_EQ(sample.values<float>("where"), (std::vector<float>{3, 2}));
  EXPECT_EQ(sample.values<int64_t>("kind"), std::vector<int64_t>{0});
  EXPECT_EQ(sample.values<int64_t>("group"), std::vector<int64_t>{3});
  EXPECT_EQ(source->describe(3), "small.jsonl:4");
}

TEST(JsonLines, NamesFileAndLineOfFaults) {
  const ScratchFolder folder;
  const auto fault = [&](const std::string& content) {
    const std::string file = folder.write("x.jsonl", content);
    const std::string said =
        open_fault(sources::json_lines({.file = file, .text = {"a"}, .classes = {"c"}}));
    return said.substr(std::min(said.size(), said.find("x.jsonl")));
  };
  EXPECT_EQ(fault(""), "x.jsonl: holds no line with a JSON object.");
  EXPECT_EQ(fault("{\"a\": \"x\", \"c\": 1}\n\n[1]\n"),
            "x.jsonl:3: expected a JSON object, but got [1].");
  EXPECT_EQ(fault("{\"a\": \"x\", \"d\": 1}"), "x.jsonl:1: there is no field 'c'. Known: a, d.");
  EXPECT_EQ(fault("{\"a\": \"x\", \"c\": null}"),
            "x.jsonl:1: 'c' must be a text or a whole number to be a class, but is null.");
  EXPECT_NE(fault("{\"a\"").find("x.jsonl:1: byte"), std::string::npos);
  const std::string file = folder.write("y.jsonl", "{\"n\": 1}\n{\"n\": \"x\"}\n{\"n\": [1]}\n");
  const auto source = opened(sources::json_lines({.file = file, .number = {"n"}}));
  EXPECT_NE(message_of<DataError>([&] {
              const Sample sample(*source, 1);
            }).find("y.jsonl:2: 'n' must be a number, but is \"x\"."),
            std::string::npos);
  EXPECT_NE(message_of<DataError>([&] {
              const Sample sample(*source, 2);
            }).find("y.jsonl:3: 'n' is [1], but in the first line it is a number."),
            std::string::npos);
}

TEST(JsonLines, TakesTheVocabularyOfAnotherFile) {
  const ScratchFolder folder;
  const std::string train = folder.write("train.jsonl", "{\"a\": \"one two\", \"b\": 1}\n");
  const std::string eval = folder.write("eval.jsonl", "{\"a\": \"two three\"}\n");
  const auto source = opened(sources::json_lines(
      {.file = eval, .text = {"a"}, .vocabulary = tokenizers::words(), .vocabulary_of = train}));
  EXPECT_EQ(source->keys()[0].spec.class_names, (std::vector<std::string>{"<unk>", "one", "two"}));
}

TEST(TextLines, ReadsLinesWhereTheyLieWithClassesInOrder) {
  const ScratchFolder folder;
  const std::string file = folder.write("t", "b\tone two\r\n\na\t\nb\tend");
  const auto source = opened(sources::text_lines({.file = file}));
  ASSERT_EQ(source->size(), 3);
  EXPECT_EQ(keys_text(*source), "text uint8 [B, ?]; label int64 [B], 2 classes; ");
  EXPECT_EQ(source->keys()[1].spec.class_names, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(Sample(*source, 0).text("text"), "one two");
  EXPECT_EQ(Sample(*source, 0).values<int64_t>("label"), (std::vector<int64_t>{1}));
  EXPECT_EQ(Sample(*source, 1).text("text"), "");
  EXPECT_EQ(Sample(*source, 1).values<int64_t>("label"), (std::vector<int64_t>{0}));
  EXPECT_EQ(Sample(*source, 2).text("text"), "end");
  EXPECT_EQ(source->describe(2), "t:4");
  const std::string uneven = folder.write("u", "b\tone\n\ntwo\n");
  EXPECT_EQ(open_fault(sources::text_lines({.file = uneven})),
            uneven + ":3: expected a class, a tab and a text, as in the first line.");
  const std::string wide = folder.write("w", std::string("o\0n\0e\0", 6));  // UTF-16
  EXPECT_EQ(open_fault(sources::text_lines({.file = wide})),
            wide + ":1: a NUL byte; this is not text in UTF-8.");
  const std::string packed = folder.write("t.gz", read_file(kCorpus + "gzip/two_members.gz"));
  EXPECT_EQ(open_fault(sources::text_lines({.file = packed})), "no fault");
}

TEST(TextLines, AndJsonLinesTakeNoByteOrderMarkForText) {
  const ScratchFolder folder;
  const std::string lines = folder.write("x.txt", "\xef\xbb\xbfno\tbad\r\nyes\tgood\r\n");
  const auto texts = opened(sources::text_lines({.file = lines}));
  EXPECT_EQ(texts->keys()[1].spec.class_names, (std::vector<std::string>{"no", "yes"}));
  EXPECT_EQ(Sample(*texts, 0).text("text"), "bad");
  const std::string json = folder.write("x.jsonl", "\xef\xbb\xbf{\"text\": \"bad\"}\n");
  const auto objects = opened(sources::json_lines({.file = json, .text = {"text"}}));
  EXPECT_EQ(Sample(*objects, 0).text("text"), "bad");
}

TEST(TextLines, TakesTheVocabularyOfAnotherFile) {
  const ScratchFolder folder;
  const std::string train = folder.write("train", "one two\n");
  const std::string eval = folder.write("eval", "two three\n");
  const auto source = opened(sources::text_lines(
      {.file = eval, .vocabulary = tokenizers::words(), .vocabulary_of = train}));
  EXPECT_EQ(source->keys()[0].spec.class_names, (std::vector<std::string>{"<unk>", "one", "two"}));
}

TEST(Vocabulary, TravelsInTheSpecsOfTheText) {
  const ScratchFolder folder;
  const std::string file = folder.write("t", "x\ta b b\ny\tc b\n");
  const auto source =
      opened(sources::text_lines({.file = file, .vocabulary = tokenizers::words()}));
  const std::vector<std::string> expected = {"<unk>", "b", "a", "c"};
  EXPECT_EQ(source->keys()[0].spec.class_names, expected);
  EXPECT_EQ(Spec::from_json(source->keys()[0].spec.to_json()), source->keys()[0].spec);
  const auto windows =
      opened(sources::text({.file = file, .length = 3, .tokens = tokenizers::words()}));
  EXPECT_EQ(windows->keys()[0].spec.text(), "int64 [B, 3], 6 classes");
}

TEST(Tfrecord, YieldsTheFeaturesOfTheFirstRecord) {
  const auto source = opened(sources::tfrecord({.files = {kCorpus + "tfrecord/small.tfrecord"}}));
  EXPECT_EQ(source->size(), 5);
  EXPECT_EQ(keys_text(*source),
            "box float32 [B, 4]; caption uint8 [B, ?]; ids int64 [B, 2]; image/encoded uint8 [B, "
            "?]; label int64 [B]; weight float32 [B]; ");
  EXPECT_EQ(source->keys()[3].spec.role, Role::kEncodedImage);
  const Sample sample(*source, 3);
  EXPECT_EQ(sample.text("caption"), "picture 3");
  EXPECT_EQ(sample.values<int64_t>("ids"), (std::vector<int64_t>{-4, int64_t{1} << 40}));
  EXPECT_EQ(sample.values<float>("box"), (std::vector<float>{0.25F, 1.5F, -3, 3e20F}));
  EXPECT_EQ(source->describe(3), "small.tfrecord[3]");
}

TEST(Tfrecord, ReadsShardsGzipAndChosenFields) {
  const auto source =
      opened(sources::tfrecord({.files = {kCorpus + "tfrecord/small.tfrecord*"},
                                .fields = {{"label", {.key = "class", .as = "class", .classes = 3}},
                                           {"box", {.shape = {-1}}}}}));
  EXPECT_EQ(source->size(), 10);
  EXPECT_EQ(keys_text(*source), "box float32 [B, ?]; class int64 [B], 3 classes; ");
  EXPECT_EQ(Sample(*source, 7).values<int64_t>("class"), std::vector<int64_t>{2});
}

TEST(Shards, KeepUnpackedFilesInMemoryUpToALimit) {
  const std::string text(5000, 'x');
  const ScratchFolder folder;
  const std::vector<std::string> files = {folder.write("1.gz", gzip(text + "1")),
                                          folder.write("2.gz", gzip(text + "2"))};
  const auto build = [](const SeekableFile& file) { return OffsetIndex{1, {file.bytes()}}; };
  Shards in_memory;
  in_memory.open(files, "test", build);
  EXPECT_GE(in_memory.resident_bytes(), 10'000U);
  Shards moved;
  moved.open(files, "test", build, 0);
  EXPECT_LT(moved.resident_bytes(), 1000U);
  for (size_t i = 0; i < 2; ++i) {
    std::string read(5001, '\0');
    moved.all()[i].file->read(0, std::as_writable_bytes(std::span(read)));
    EXPECT_EQ(read, text + files[i][files[i].size() - 4]);
  }
}

TEST(Tfrecord, SaysWhatDoesNotFit) {
  const std::string file = kCorpus + "tfrecord/small.tfrecord";
  EXPECT_NE(open_fault(sources::tfrecord({.files = {file}, .fields = {{"labl", {}}}}))
                .find("has no feature 'labl'. Did you mean 'label'?"),
            std::string::npos);
  EXPECT_NE(open_fault(sources::tfrecord({.files = {file}, .fields = {{"label", {.as = "image"}}}}))
                .find("cannot be read as image, which takes one value of bytes."),
            std::string::npos);
  EXPECT_NE(open_fault(sources::tfrecord({.files = {kCorpus + "tfrecord/none-*"}}))
                .find("no file has a name like this."),
            std::string::npos);
  const auto source = opened(
      sources::tfrecord({.files = {file}, .fields = {{"label", {.as = "class", .classes = 2}}}}));
  EXPECT_EQ(message_of<DataError>([&] { const Sample sample(*source, 2); }),
            "the record: the feature 'label' is the class 2, but there are only 2.");
}

TEST(Webdataset, YieldsFilesOfOneStem) {
  for (const std::string form : {"ustar", "gnu", "pax"}) {
    const auto source = opened(sources::webdataset({.files = {kCorpus + "tar/" + form + ".tar"}}));
    EXPECT_EQ(source->size(), 6);
    EXPECT_EQ(keys_text(*source),
              "image uint8 [B, ?]; label int64 [B], 3 classes; text uint8 [B, ?]; ");
    const Sample sample(*source, 5);
    EXPECT_EQ(sample.text("text"), "line 5");
    EXPECT_EQ(sample.values<int64_t>("label"), std::vector<int64_t>{2});
    EXPECT_EQ(sample.text("image").substr(1, 3), "PNG");
    EXPECT_EQ(source->describe(2), form + ".tar[set/002]");
  }
}

TEST(Webdataset, RefusesWhatIsNoTar) {
  const ScratchFolder folder;
  const std::string file = folder.write("x.tar", std::string(600, 'x'));
  EXPECT_NE(open_fault(sources::webdataset({.files = {file}})).find("x.tar: byte 0"),
            std::string::npos);
  EXPECT_NE(open_fault(sources::webdataset({.files = {folder.write("e.tar", "")}}))
                .find("holds no record"),
            std::string::npos);
}

TEST(WavFolder, YieldsSoundAndClass) {
  const ScratchFolder folder;
  folder.write("b/one.wav", encode_wav(std::vector<float>{0.5F, -0.5F}, 8000));
  folder.write("a/two.WAV", encode_wav(std::vector<float>{0.25F}, 8000));
  folder.write("b/slow.wav", encode_wav(std::vector<float>{0.5F}, 4000));
  const auto source = opened(sources::wav_folder({.folder = folder.file("")}));
  EXPECT_EQ(source->keys()[0].spec.rate, 8000);
  EXPECT_EQ(Sample(*source, 1).values<int64_t>("label"), std::vector<int64_t>{1});
  EXPECT_EQ(Sample(*source, 0).values<float>("sound"), std::vector<float>{0.25F});
  EXPECT_NE(message_of<DataError>([&] {
              for (int64_t i = 0; i < 3; ++i) const Sample sample(*source, i);
            }).find("has 4000 samples a second, but must have 8000, as the first file has."),
            std::string::npos);
}

TEST(WavFolder, TakesTheRateOfTheFirstFileThatCanBeRead) {
  const ScratchFolder folder;
  folder.write("a/cut.wav", "RIFF");
  EXPECT_NE(open_fault(sources::wav_folder({.folder = folder.file("")})).find("cut.wav: is no WAV"),
            std::string::npos);
  folder.write("a/one.wav", encode_wav(std::vector<float>{0.5F}, 8000));
  const auto source = opened(sources::wav_folder({.folder = folder.file("")}));
  EXPECT_EQ(source->size(), 2);
  EXPECT_EQ(source->keys()[0].spec.rate, 8000);
  EXPECT_THROW(Sample(*source, 0), DataError);
}

TEST(WavFolder, LeavesOutWhatProgramsHide) {
  const ScratchFolder folder;
  const std::string sound = encode_wav(std::vector<float>{0.5F}, 8000);
  folder.write("a/one.wav", sound);
  folder.write("a/._one.wav", "no sound");
  folder.write(".checkpoints/two.wav", sound);
  const auto source = opened(sources::wav_folder({.folder = folder.file("")}));
  EXPECT_EQ(source->size(), 1);
  EXPECT_EQ(source->describe(0), "a/one.wav");
  EXPECT_EQ(source->keys()[1].spec.classes, 1);
  EXPECT_GE(source->resident_bytes(), source->describe(0).size());
}

OffsetIndex index_of(const std::string& path, int& builds, const std::string& kind = "test") {
  const FileHandle file = open_to_read(path);
  return offset_index({.file = file,
                       .path = path,
                       .kind = kind,
                       .build =
                           [&] {
                             ++builds;
                             return OffsetIndex{2, {1, 2, 3, 4}, {"a", ""}};
                           },
                       .least_bytes = 0});
}

class KeptIndex : public testing::Test {
 protected:
  KeptIndex() { setenv("XDG_CACHE_HOME", folder.file("cache").c_str(), 1); }
  ~KeptIndex() override { unsetenv("XDG_CACHE_HOME"); }
  [[nodiscard]] std::string only_index() const {
    return list_folder(folder.file("cache/hearth/index")).at(0).string();
  }
  ScratchFolder folder;
  int builds = 0;
};

TEST_F(KeptIndex, IsFoundOnceForAFile) {
  const std::string file = folder.write("data", "hello");
  const OffsetIndex first = index_of(file, builds);
  EXPECT_EQ(index_of(file, builds), first);
  EXPECT_EQ(builds, 1);
  (void)index_of(file, builds, "other");
  EXPECT_EQ(builds, 2);
}

TEST_F(KeptIndex, IsFoundAgainWhenTheFileChanged) {
  const std::string file = folder.write("data", "hello");
  (void)index_of(file, builds);
  folder.write("data", "hallo");
  (void)index_of(file, builds);
  EXPECT_EQ(builds, 2);
}

TEST_F(KeptIndex, IsNeverTrustedWhenDamaged) {
  const std::string file = folder.write("data", "hello");
  const OffsetIndex expected = index_of(file, builds);
  const std::string whole = read_file(only_index());
  for (size_t i = 0; i < whole.size(); i += 13) {
    std::string flipped = whole;
    flipped[i] = static_cast<char>(flipped[i] ^ 1);
    for (const std::string& content : {flipped, whole.substr(0, i)}) {
      std::ofstream(only_index(), std::ios::binary) << content;
      builds = 0;
      EXPECT_EQ(index_of(file, builds), expected);
      EXPECT_EQ(builds, 1) << i;
    }
  }
}

TEST_F(KeptIndex, IsNotNeededWhereNothingCanBeWritten) {
  setenv("XDG_CACHE_HOME", "/proc/nowhere", 1);
  EXPECT_EQ(index_of(folder.write("data", "hello"), builds).rows(), 2U);
}

}  // namespace
}  // namespace hearth
