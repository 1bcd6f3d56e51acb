// Tests of sources whose samples are rows of arrays: npy, npz and safetensors.
#include "hearth/data/sources/npy.h"

#include <gtest/gtest.h>

#include "hearth/base/error.h"
#include "hearth/base/message_of_test.h"
#include "hearth/config/registry.h"
#include "hearth/data/sources/npz.h"
#include "hearth/data/sources/safetensors.h"
#include "hearth/data/table/sample_of_test.h"
#include "hearth/format/npy.h"

namespace hearth {
namespace {

using testing_data::floats_of;
using testing_data::number_of;
using testing_data::TextFile;
using testing_data::with_value;
using ArrayFloats = std::vector<float>;

std::string array_corpus(const std::string& name) {
  return std::string(HEARTH_SOURCE_DIR) + "/tests/corpus/" + name;
}

std::shared_ptr<Source> opened_arrays(const Choice<Source>& choice) {
  std::shared_ptr<Source> source = registry<Source>().make(choice);
  source->open();
  return source;
}

std::string array_fault(const Choice<Source>& choice) {
  return message_of<Error>([&] { (void)opened_arrays(choice); });
}

std::string npy_of(std::string_view descr, const std::vector<int64_t>& shape, size_t bytes) {
  return encode_npy(descr, shape, std::vector<std::byte>(bytes));
}

TEST(ArraySources, GiveTheSameRowsFromEveryFormat) {
  const Choice<Source> all[] = {
      sources::npy({.files = {{"features", array_corpus("npy/floats.npy")},
                              {"label", array_corpus("npy/labels.npy")}},
                    .classes = {{"label", 4}}}),
      sources::npz({.file = array_corpus("zip/stored.npz"), .classes = {{"label", 4}}}),
      sources::npz({.file = array_corpus("zip/packed.npz"), .classes = {{"label", 4}}}),
      sources::safetensors(
          {.file = array_corpus("safetensors/rows.safetensors"), .classes = {{"label", 4}}})};
  for (const Choice<Source>& choice : all) {
    const auto source = opened_arrays(choice);
    ASSERT_EQ(source->size(), 24);
    EXPECT_EQ(source->keys()[0].spec.text(), "float32 [B, 3]");
    EXPECT_EQ(source->keys()[1].spec.text(), "int64 [B], 4 classes");
    EXPECT_EQ(floats_of(*source, "features", 7), (ArrayFloats{21 / 8.0F, 22 / 8.0F, 23 / 8.0F}));
    EXPECT_EQ(number_of(*source, "label", 7), 3);
  }
}

TEST(NpySource, TurnsFortranOrderAndByteOrderAround) {
  const auto fortran =
      opened_arrays(sources::npy({.files = {{"x", array_corpus("npy/fortran.npy")}}}));
  EXPECT_EQ(floats_of(*fortran, "x", 23), (ArrayFloats{69 / 8.0F, 70 / 8.0F, 71 / 8.0F}));
  const auto big =
      opened_arrays(sources::npy({.files = {{"x", array_corpus("npy/big_endian.npy")}}}));
  EXPECT_EQ(big->keys()[0].spec.dtype, DType::kFloat64);
  EXPECT_EQ(with_value(*big, "x", 23, [](const View& view) { return view.as<double>()[2]; }),
            71 / 8.0);
  const auto shorts =
      opened_arrays(sources::npy({.files = {{"x", array_corpus("npy/shorts.npy")}}}));
  EXPECT_EQ(with_value(*shorts, "x", 2, [](const View& view) { return view.as<int32_t>()[0]; }),
            -3);
}

TEST(ArraySources, CountWhatTheyUnpackAndTurnAround) {
  const auto kept = [](const Choice<Source>& choice) {
    return opened_arrays(choice)->resident_bytes();
  };
  EXPECT_EQ(kept(sources::npz({.file = array_corpus("zip/stored.npz")})), 0U);
  EXPECT_GE(kept(sources::npz({.file = array_corpus("zip/packed.npz")})), 24 * 3 * sizeof(float));
  EXPECT_EQ(kept(sources::npy({.files = {{"x", array_corpus("npy/floats.npy")}}})), 0U);
  EXPECT_EQ(kept(sources::npy({.files = {{"x", array_corpus("npy/fortran.npy")}}})),
            24 * 3 * sizeof(float));
}

TEST(NpySource, MakesImagesOfBytes) {
  const TextFile file(npy_of("|u1", {2, 4, 5}, 40), ".npy");
  const auto source =
      opened_arrays(sources::npy({.files = {{"image", file.path}}, .images = {"image"}}));
  EXPECT_EQ(source->keys()[0].spec.text(), "uint8 [B, 4, 5, 1]");
  EXPECT_EQ(source->keys()[0].spec.role, Role::kImage);
}

TEST(NpySource, SaysWhatDoesNotFit) {
  const TextFile three(npy_of("<f4", {3, 2}, 24), ".npy");
  const TextFile four(npy_of("<f4", {4}, 16), ".npy");
  EXPECT_EQ(array_fault(sources::npy({.files = {{"a", three.path}, {"b", four.path}}})),
            four.path + ": has 4 rows, but " + three.path +
                " has 3. All arrays must have a row for each sample.");
  EXPECT_EQ(array_fault(sources::npy({.files = {{"a", three.path}}, .classes = {{"b", 2}}})),
            "classes: there is no array 'b'. Known: a.");
  EXPECT_EQ(array_fault(sources::npy({.files = {{"a", three.path}}, .classes = {{"a", 2}}})),
            "classes: 'a' holds float32 [B, 2], which are no class numbers.");
  const TextFile empty(npy_of("<f4", {0, 2}, 0), ".npy");
  EXPECT_EQ(array_fault(sources::npy({.files = {{"a", empty.path}}})),
            empty.path + ": has no numbers.");
  const TextFile single(npy_of("<f4", {}, 4), ".npy");
  EXPECT_EQ(array_fault(sources::npy({.files = {{"a", single.path}}})),
            single.path + ": is a single number; an array has a row for each sample.");
}

TEST(NpySource, RefusesAClassBeyondTheClasses) {
  const auto source = opened_arrays(sources::npy(
      {.files = {{"label", array_corpus("npy/labels.npy")}}, .classes = {{"label", 3}}}));
  EXPECT_EQ(number_of(*source, "label", 2), 2);
  EXPECT_EQ(message_of<DataError>([&] { (void)number_of(*source, "label", 3); }),
            array_corpus("npy/labels.npy") +
                ": row 3 holds class 3, but there are 3 classes. Set 'classes' to what the data "
                "has.");
}

TEST(NpzSource, NoticesDamageOfStoredArraysToo) {
  const std::string archive = read_file(array_corpus("zip/stored.npz"));
  const auto at = archive.find("\n") + 40;  // behind the first array's header
  std::string damaged = archive;
  damaged[at] = static_cast<char>(damaged[at] ^ 1);
  const TextFile file(damaged, ".npz");
  EXPECT_EQ(array_fault(sources::npz({.file = file.path})),
            file.path +
                ": entry 'features.npy' is damaged: its checksum does not fit. Get the file "
                "again.");
}

TEST(NpzSource, TakesSomeOfTheArraysAndHoldsItsMemory) {
  const std::string file = array_corpus("zip/packed.npz");
  EXPECT_EQ(opened_arrays(sources::npz({.file = file, .arrays = {"label"}}))->keys().size(), 1U);
  EXPECT_EQ(array_fault(sources::npz({.file = file, .arrays = {"lable"}})),
            "arrays: " + file + " has no array 'lable'. Did you mean 'label'?");
}

}  // namespace
}  // namespace hearth
