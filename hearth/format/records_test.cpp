#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>

#include "hearth/base/error.h"
#include "hearth/base/files.h"
#include "hearth/base/message_of_test.h"
#include "hearth/format/tar.h"
#include "hearth/format/tf_example.h"
#include "hearth/format/tfrecord.h"

namespace hearth {
namespace {

const std::string kTests = std::string(HEARTH_SOURCE_DIR) + "/tests/";

nlohmann::json stored_records() {
  return nlohmann::json::parse(read_file(kTests + "parity/records.json"));
}

std::string hex_of(std::string_view bytes) {
  constexpr const char* kHex = "0123456789abcdef";
  std::string text;
  for (const char byte : bytes) {
    text += kHex[static_cast<unsigned char>(byte) >> 4];
    text += kHex[byte & 15];
  }
  return text;
}

// Reads as from a file, and fails the test where the reader goes beyond it.
ReadBytes from_memory(const std::string& bytes) {
  return [&bytes](uint64_t offset, std::span<std::byte> into) {
    ASSERT_LE(offset, bytes.size());
    ASSERT_LE(into.size(), bytes.size() - offset);
    std::memcpy(into.data(), bytes.data() + offset, into.size());
  };
}

std::vector<std::string> records_in(const std::string& bytes) {
  std::vector<std::string> records;
  for (const TfRecordPlace& place : tfrecord_places(from_memory(bytes), bytes.size(), "x")) {
    records.emplace_back();
    read_tfrecord(from_memory(bytes), place, records.back(), "x");
  }
  return records;
}

nlohmann::json values_of(const TfFeature& feature) {
  std::vector<float> floats(static_cast<size_t>(feature.count));
  std::vector<int64_t> integers(static_cast<size_t>(feature.count));
  if (feature.kind == TfFeature::Kind::kBytes) return {hex_of(only_bytes(feature, "x"))};
  if (feature.kind == TfFeature::Kind::kIntegers) {
    copy_integers(feature, integers, "x");
    return integers;
  }
  copy_floats(feature, floats, "x");
  return floats;
}

TEST(TfRecord, HoldsWhatPythonWrote) {
  const auto expected = stored_records()["examples"];
  const auto records = records_in(read_file(kTests + "corpus/tfrecord/small.tfrecord"));
  ASSERT_EQ(records.size(), expected.size());
  for (size_t i = 0; i < records.size(); ++i) {
    size_t count = 0;
    for_each_feature(records[i], "x", [&](std::string_view name, const TfFeature& feature) {
      ++count;
      const auto& values = expected[i].at(std::string(name));
      const auto found = values_of(feature);
      ASSERT_EQ(found.size(), values.size());
      for (size_t k = 0; k < found.size(); ++k)
        if (values[k].is_number_float())
          EXPECT_EQ(found[k].get<float>(), values[k].get<float>());
        else
          EXPECT_EQ(found[k], values[k]) << name;
    });
    EXPECT_EQ(count, expected[i].size());
  }
}

TEST(TfRecord, RefusesEveryCutAndEveryFlippedBit) {
  const std::string whole = read_file(kTests + "corpus/tfrecord/small.tfrecord");
  const size_t all = records_in(whole).size();
  for (size_t length = 0; length < whole.size(); ++length) {
    const std::string cut = whole.substr(0, length);
    try {
      EXPECT_LT(records_in(cut).size(), all);  // a cut between two records cannot be seen
    } catch (const DataError&) {
    }
  }
  for (size_t i = 0; i < whole.size(); ++i) {
    std::string flipped = whole;
    flipped[i] = static_cast<char>(flipped[i] ^ (1 << (i % 8)));
    EXPECT_NE(message_of<DataError>([&] { (void)records_in(flipped); }), "no fault") << i;
  }
}

TEST(TfRecord, SaysWhereItIsDamaged) {
  EXPECT_EQ(message_of<DataError>([] { (void)records_in(std::string(40, 'x')); }),
            "x: byte 0: the checksum of a record's length does not fit: the file is damaged, or no "
            "TFRecord file.");
  EXPECT_EQ(message_of<DataError>([] { (void)records_in("abc"); }),
            "x: byte 0: the file ends within a record; it is truncated.");
}

TEST(TfExample, SurvivesEveryCutAndFlippedBit) {
  const auto read = [](std::string_view message) {
    for_each_feature(message, "x", [](std::string_view, const TfFeature& feature) {
      if (feature.kind != TfFeature::Kind::kBytes || feature.count == 1) (void)values_of(feature);
    });
  };
  const std::string whole = read_file(kTests + "corpus/tf_example/plain.bin");
  for (size_t i = 0; i < whole.size(); ++i)
    for (int bit = 0; bit < 9; ++bit) {
      std::string changed = bit == 8 ? whole.substr(0, i) : whole;
      if (bit < 8) changed[i] = static_cast<char>(changed[i] ^ (1 << bit));
      try {
        read(changed);
      } catch (const DataError&) {
      }
    }
}

TEST(TfExample, RefusesLengthsBeyondTheMessage) {
  const std::string huge("\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 11);
  EXPECT_EQ(message_of<DataError>([&] { for_each_feature(huge, "x", [](auto, const auto&) {}); }),
            "x: byte 11 of a message: a field of 18446744073709551615 bytes ends beyond the "
            "message's 11.");
}

class TarForms : public testing::TestWithParam<const char*> {};

TEST_P(TarForms, HoldWhatPythonWrote) {
  const std::string tar = read_file(kTests + "corpus/tar/" + GetParam() + ".tar");
  const auto expected = stored_records()["tar"];
  const auto entries = tar_entries(from_memory(tar), tar.size(), "x.tar");
  ASSERT_EQ(entries.size(), expected.size());
  for (size_t i = 0; i < entries.size(); ++i) {
    EXPECT_EQ(entries[i].name, expected[i]["name"]);
    EXPECT_EQ(hex_of(std::string_view(tar).substr(entries[i].offset, entries[i].bytes)),
              expected[i]["bytes"]);
  }
}

TEST_P(TarForms, SurviveEveryCutAndFlippedByte) {
  const std::string tar = read_file(kTests + "corpus/tar/" + GetParam() + ".tar");
  for (size_t i = 0; i < tar.size(); i += i % 512 < 300 ? 3 : 29) {
    std::string flipped = tar;
    flipped[i] = static_cast<char>(flipped[i] ^ 0x80);
    const std::string cut = tar.substr(0, i);
    for (const std::string* changed : {static_cast<const std::string*>(&flipped), &cut}) {
      try {
        for (const TarEntry& entry : tar_entries(from_memory(*changed), changed->size(), "x"))
          EXPECT_LE(entry.bytes, changed->size() - entry.offset);
      } catch (const DataError&) {
      }
    }
  }
}
INSTANTIATE_TEST_SUITE_P(Tar, TarForms, testing::Values("ustar", "gnu", "pax"));

TEST(Tar, SaysWhatIsNoTar) {
  EXPECT_EQ(message_of<DataError>([] {
              const std::string text(600, 'x');
              (void)tar_entries(from_memory(text), text.size(), "x.tar");
            }),
            "x.tar: byte 0: a number that is not octal.");
  const std::string empty;
  EXPECT_TRUE(tar_entries(from_memory(empty), 0, "x.tar").empty());
}

}  // namespace
}  // namespace hearth
