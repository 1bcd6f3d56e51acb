// What was packed is what the pipeline makes, also after a kill; what was damaged is noticed.
#include "hearth/pipeline/packing.h"

#include <gtest/gtest.h>

#include <fstream>

#include "hearth/base/error.h"
#include "hearth/base/files.h"
#include "hearth/base/message_of_test.h"
#include "hearth/base/text.h"
#include "hearth/config/registry.h"
#include "hearth/data/fixtures_test.h"
#include "hearth/data/ops/image/decode.h"
#include "hearth/data/ops/image/flip.h"
#include "hearth/data/ops/image/normalize.h"
#include "hearth/data/ops/image/random_resized_crop.h"
#include "hearth/data/ops/image/random_shift.h"
#include "hearth/data/ops/image/resize.h"
#include "hearth/data/ops/text/byte_tokens.h"
#include "hearth/data/packed_format.h"
#include "hearth/data/sources/image_folder.h"
#include "hearth/data/sources/packed.h"
#include "hearth/data/sources/synthetic.h"
#include "hearth/data/sources/text_lines.h"
#include "hearth/format/jpeg_writer.h"
#include "hearth/format/safetensors.h"

namespace hearth {
namespace {

using testing_data::hash_of;

DataOptions pictures() {
  DataOptions options;
  options.train = sources::synthetic({.size = 200, .shape = {1, 6, 6}, .classes = 3});
  options.batch_size = 8;
  options.ops = {sample_ops::normalize({.key = "image"}),
                 sample_ops::random_shift({.key = "image"})};
  return options;
}

DataOptions lines(const fs::path& folder) {
  make_folder(folder);
  std::ofstream file(folder / "lines.txt");
  for (int i = 0; i < 150; ++i) file << std::string(static_cast<size_t>(i % 9), 'a') << i << "\n";
  file.close();
  DataOptions options;
  options.train = sources::text_lines({.file = (folder / "lines.txt").string()});
  options.ops = {sample_ops::byte_tokens()};
  return options;
}

fs::path fresh_folder(const std::string& name) {
  fs::path folder = fs::path(testing::TempDir()) / name;
  fs::remove_all(folder);
  return folder;
}

std::vector<std::string> rows_of(const DataOptions& options) {
  Pipeline pipeline(options, {.seed = 2});
  std::vector<std::string> rows;
  for (const PipelineBatch& batch : pipeline.batches())
    for (int64_t row = 0; row < batch.rows(); ++row)
      for (const KeySpec& key : pipeline.keys(Mode::kTrain)) {
        const View view = batch.row(key.key, row);
        const auto bytes = view.elements() * static_cast<size_t>(size_of(key.spec.dtype));
        rows.push_back(key.key + ":" + key.spec.text() + ":" +
                       sha256_hex({reinterpret_cast<const char*>(view.data), bytes}));
      }
  return rows;
}

TEST(Pack, KeepsWhatTheFixedOpsMake) {
  const fs::path folder = fresh_folder("packed_pictures");
  const DataOptions options = pictures();
  const PackReport report = pack(options, Mode::kTrain, {.folder = folder, .shard_bytes = 9000});
  EXPECT_EQ(report.samples, 200);
  EXPECT_EQ(report.shards, 4);
  DataOptions packed = options;
  packed.train = sources::packed({.folder = folder.string()});
  packed.ops.erase(packed.ops.begin());
  EXPECT_EQ(rows_of(packed), rows_of(options));
}

TEST(Pack, EndsForEvaluationWhereItEndsForTraining) {
  DataOptions options = pictures();
  options.eval = sources::synthetic({.size = 9, .shape = {1, 6, 6}, .classes = 3});
  options.ops[1] = options.ops[1].when(Mode::kTrain);
  options.ops.push_back(sample_ops::normalize({.key = "image", .mean = {0.5}}));
  for (const Mode mode : {Mode::kTrain, Mode::kEval}) {
    const PackReport report = pack(options, mode, {.folder = fresh_folder("packed_alike")});
    EXPECT_EQ(report.ops, std::vector<std::string>{"normalize"});
  }
}

// Large enough to be read at a part of their size.
DataOptions photographs(const fs::path& folder, std::vector<Choice<SampleOp>> ops) {
  for (int i = 0; i < 4; ++i) {
    Image image{320, 280, 3, {}};
    for (int64_t at = 0; at < 320 * 280 * 3; ++at)
      image.pixels.push_back(static_cast<uint8_t>((at / 7 * (i + 3) + at * at % 61) % 251));
    const fs::path path = folder / (i % 2 == 0 ? "even" : "odd");
    make_folder(path);
    std::ofstream(path / (std::to_string(i) + ".jpg"), std::ios::binary) << encode_jpeg(image);
  }
  DataOptions options;
  options.train = sources::image_folder({.folder = folder.string()});
  options.eval = sources::image_folder({.folder = folder.string()});
  options.ops = std::move(ops);
  options.batch_size = 2;
  return options;
}

TEST(Pack, EndsWherePicturesStayAsTheirFilesGiveThem) {
  using Names = std::vector<std::string>;
  const auto small = sample_ops::resize({.size = {32}});
  const auto part = sample_ops::random_resized_crop({.size = {24}});
  const auto exact = sample_ops::decode({.scaled = false});
  const std::vector<std::pair<std::vector<Choice<SampleOp>>, Names>> tried = {
      {{sample_ops::decode(), small, sample_ops::flip()}, {"decode", "resize"}},
      {{sample_ops::decode(), part}, {}},
      {{exact, part}, {"decode"}},
      {{sample_ops::decode(), sample_ops::flip(), small}, {"decode"}}};
  for (const auto& [ops, names] : tried) {
    const DataOptions options = photographs(fresh_folder("photographs"), ops);
    const fs::path folder = fresh_folder("packed_photographs");
    EXPECT_EQ(pack(options, Mode::kTrain, {.folder = folder}).ops, names);
    DataOptions packed = options;
    packed.train = sources::packed({.folder = folder.string()});
    packed.ops.erase(packed.ops.begin(),
                     packed.ops.begin() + static_cast<std::ptrdiff_t>(names.size()));
    EXPECT_EQ(rows_of(packed), rows_of(options)) << join(names, ", ");
  }
  const DataOptions both =
      photographs(fresh_folder("photographs"),
                  {sample_ops::decode(), part.when(Mode::kTrain), small.when(Mode::kEval)});
  EXPECT_EQ(pack(both, Mode::kEval, {.folder = fresh_folder("packed_for_eval")}).ops, Names{});
}

TEST(Pack, TakesValuesWhoseSizeDiffers) {
  const fs::path folder = fresh_folder("packed_lines");
  const DataOptions options = lines(fresh_folder("lines"));
  EXPECT_GT(pack(options, Mode::kTrain, {.folder = folder, .shard_bytes = 2000}).shards, 1);
  DataOptions packed = options;
  packed.train = sources::packed({.folder = folder.string()});
  packed.ops.clear();
  EXPECT_EQ(rows_of(packed), rows_of(options));
}

TEST(Pack, KeepsShardsThatAKilledProcessFinished) {
  const fs::path folder = fresh_folder("packed_again");
  const PackOptions how{.folder = folder, .shard_bytes = 9000};
  (void)pack(pictures(), Mode::kTrain, how);
  const std::string manifest = read_file(folder / kManifestName);
  fs::remove(folder / kManifestName);
  fs::remove(folder / "shard-00002.safetensors");
  std::fstream(folder / "shard-00001.safetensors", std::ios::in | std::ios::out)
      .seekp(3000)
      .write("damage", 6);
  EXPECT_EQ(pack(pictures(), Mode::kTrain, how).kept_shards, 2);
  EXPECT_EQ(read_file(folder / kManifestName), manifest);
  DataOptions other = pictures();
  other.ops = {sample_ops::normalize({.key = "image", .mean = {0.5}})};
  EXPECT_EQ(pack(other, Mode::kTrain, how).kept_shards, 0) << "other ops, other shards";
}

std::string fault_of(const fs::path& folder) {
  return message_of<DataError>([&] {
    const auto source = registry<Source>().make(sources::packed({.folder = folder.string()}));
    source->open();
    Spec spec = source->keys()[1].spec;
    RaggedMemory memory;
    RaggedValue value(memory);
    for (int64_t i = 0; i < source->size(); ++i) {
      std::vector<Cell> cells(source->keys().size());
      cells[1] = Cell(value, spec);
      source->read(i, cells);
    }
  });
}

TEST(Packed, NoticesWhatIsNotAsItWasWritten) {
  const fs::path folder = fresh_folder("packed_damaged");
  (void)pack(lines(fresh_folder("lines")), Mode::kTrain, {.folder = folder, .shard_bytes = 2000});
  EXPECT_EQ(fault_of(folder), "no fault");
  const fs::path shard = folder / "shard-00000.safetensors";
  const std::string whole = read_file(shard);
  for (size_t at = 0; at < whole.size(); at += 97) {
    std::string changed = whole;
    changed[at] = static_cast<char>(changed[at] ^ 0x5a);
    std::ofstream(shard) << changed;
    (void)fault_of(folder);  // whatever it says, it reads nothing beyond the file
  }
  std::ofstream(shard) << whole.substr(0, whole.size() / 2);
  EXPECT_NE(fault_of(folder), "no fault");
  fs::remove(shard);
  EXPECT_NE(fault_of(folder).find("shard-00000.safetensors"), std::string::npos);
}

std::string fault_of_first_image(const fs::path& folder) {
  return message_of<DataError>([&] {
    const auto source = registry<Source>().make(sources::packed({.folder = folder.string()}));
    source->open();
    ASSERT_EQ(source->keys()[0].key, "image");
    const Spec spec = source->keys()[0].spec;
    std::vector<std::byte> room(static_cast<size_t>(spec.bytes()));
    std::vector<Cell> cells(source->keys().size());
    cells[0] = Cell(room.data(), spec);
    source->read(0, cells);
  });
}

void change_first_image(const fs::path& shard) {
  std::string file = read_file(shard);
  const SafetensorsFile header(shard);
  const size_t at = header.data_begin() + header.find("image")->begin + 5;
  file[at] = static_cast<char>(file[at] ^ 1);
  std::ofstream(shard, std::ios::binary) << file;
}

TEST(Packed, NoticesAChangedByteOfAValueOfOneSize) {
  const fs::path folder = fresh_folder("packed_changed");
  (void)pack(pictures(), Mode::kTrain, {.folder = folder});
  EXPECT_EQ(fault_of_first_image(folder), "no fault");
  change_first_image(folder / "shard-00000.safetensors");
  EXPECT_EQ(fault_of_first_image(folder),
            "its bytes do not have their checksum. Pack the data again.");
}

TEST(Packed, WithoutChecksumsNoticesAChangedByteByTheShardsDigest) {
  const fs::path folder = fresh_folder("packed_without");
  fs::copy(fs::path(HEARTH_SOURCE_DIR) / "tests/conformance/packed", folder);
  EXPECT_EQ(fault_of_first_image(folder), "no fault");
  change_first_image(folder / "shard-00000.safetensors");
  EXPECT_EQ(fault_of_first_image(folder),
            "its shard does not have the digest that the manifest says. Pack the data again.");
}

TEST(Packed, RefusesManifestsThatAreNone) {
  const fs::path folder = fresh_folder("packed_manifests");
  make_folder(folder);
  EXPECT_NE(fault_of(folder).find("has no manifest.json"), std::string::npos);
  for (const char* text :
       {"", "{}", "[]", R"({"format": "hearth.packed", "version": 2})",
        R"({"format": "hearth.packed", "version": 1, "made_of": "", "keys": [], "shards": []})",
        R"({"format": "hearth.packed", "version": 1, "made_of": "", "keys": [{"key": "x", "dtype":
           "float32", "shape": [1]}], "shards": [{"file": "../x", "samples": 1, "bytes": 1,
           "sha256": ""}]})"}) {
    std::ofstream(folder / kManifestName) << text;
    EXPECT_NE(fault_of(folder), "no fault") << text;
  }
}

}  // namespace
}  // namespace hearth
