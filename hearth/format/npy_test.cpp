// Tests of NumPy's array files.
#include "hearth/format/npy.h"

#include <gtest/gtest.h>

#include "hearth/base/error.h"
#include "hearth/base/files.h"
#include "hearth/base/message_of_test.h"

namespace hearth {
namespace {

std::string npy_corpus_file(const std::string& name) {
  return read_file(fs::path(HEARTH_SOURCE_DIR) / "tests/corpus/npy" / name);
}

std::string header_fault(const std::string& file) {
  return message_of<DataError>([&] { (void)parse_npy_header(file, file.size(), "x.npy"); });
}

std::string with_header(const std::string& dictionary) {
  std::string file = "\x93NUMPY";
  file += {1, 0, static_cast<char>(dictionary.size()), 0};
  return file + dictionary;
}

TEST(Npy, ReadsWhatNumPyWrites) {
  const std::string file = npy_corpus_file("floats.npy");
  const NpyHeader header = parse_npy_header(file, file.size(), "x.npy");
  EXPECT_EQ(header.type, ArrayType::kFloat32);
  EXPECT_EQ(header.shape, (std::vector<int64_t>{24, 3}));
  EXPECT_FALSE(header.is_fortran);
  EXPECT_FALSE(header.is_swapped);
  EXPECT_EQ(header.data_begin, 128U);
  const std::string fortran = npy_corpus_file("fortran.npy");
  EXPECT_TRUE(parse_npy_header(fortran, fortran.size(), "x.npy").is_fortran);
  const std::string big = npy_corpus_file("big_endian.npy");
  EXPECT_TRUE(parse_npy_header(big, big.size(), "x.npy").is_swapped);
}

TEST(Npy, ReadsWhatItWrites) {
  const std::vector<std::byte> data(12);
  const std::string file = encode_npy("<i2", {3, 2}, data);
  const NpyHeader header = parse_npy_header(file, file.size(), "x.npy");
  EXPECT_EQ(header.type, ArrayType::kInt16);
  EXPECT_EQ(header.shape, (std::vector<int64_t>{3, 2}));
}

TEST(Npy, RefusesEveryTruncation) {
  const std::string file = npy_corpus_file("floats.npy");
  for (size_t length = 0; length < file.size(); ++length)
    EXPECT_THROW((void)parse_npy_header(file.substr(0, length), length, "x.npy"), DataError)
        << length;
}

TEST(Npy, SurvivesAnyChangedByte) {
  const std::string file = npy_corpus_file("floats.npy");
  for (size_t at = 0; at < 128; ++at)
    for (const int change : {1, 0x20, 0xff}) {
      std::string changed = file;
      changed[at] = static_cast<char>(changed[at] ^ change);
      try {
        const NpyHeader header = parse_npy_header(changed, changed.size(), "x.npy");
        EXPECT_EQ(header.data_begin + header.data_bytes(), changed.size());
      } catch (const DataError&) {
      }
    }
}

TEST(Npy, SaysWhatItDoesNotRead) {
  EXPECT_EQ(header_fault("abc"), "x.npy: is no .npy file: it does not start with \\x93NUMPY.");
  EXPECT_EQ(header_fault(with_header("{'descr': '|O', 'fortran_order': False, 'shape': (1,), }")),
            "x.npy: holds Python objects, which only running Python code could read.");
  EXPECT_EQ(header_fault(with_header("{'descr': [('a', '<f4')], 'fortran_order': False, }")),
            "x.npy: holds records; save each of their fields as an array.");
  EXPECT_EQ(header_fault(with_header(
                "{'descr': '<f4', 'fortran_order': False, 'shape': (4611686018427387904, 9), }")),
            "x.npy: says it holds an array of more bytes than 64 bits can count.");
  EXPECT_EQ(header_fault(with_header("{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }")),
            "x.npy: holds 0 bytes of numbers, but its header says 8. It is probably truncated; "
            "get it again.");
  EXPECT_EQ(header_fault(with_header("{'descr': '<f4', 'shape': (2,), }")),
            "x.npy: the header must say descr, fortran_order and shape.");
}

}  // namespace
}  // namespace hearth
