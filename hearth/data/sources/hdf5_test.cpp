#include "hearth/data/sources/hdf5.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "hearth/base/error.h"
#include "hearth/base/message_of_test.h"
#include "hearth/config/registry.h"
#include "hearth/data/table/sample_of_test.h"
#include "hearth/format/hdf5.h"

namespace hearth {
namespace {

using testing_data::with_value;

const std::string kTestsFolder = std::string(HEARTH_SOURCE_DIR) + "/tests/";

std::shared_ptr<Source> opened_hdf5(const sources::Hdf5Options& options) {
  std::shared_ptr<Source> source = registry<Source>().make(sources::hdf5(options));
  source->open();
  return source;
}

std::string hdf5_path(const std::string& name) {
  return kTestsFolder + "corpus/hdf5/" + name + ".h5";
}

template <class T>
void add_numbers(const View& view, std::vector<double>& to) {
  for (const T number : view.as<T>()) to.push_back(static_cast<double>(number));
}

void add_values(const View& view, std::vector<double>& to) {
  switch (view.spec->dtype) {
    case DType::kFloat64:
      return add_numbers<double>(view, to);
    case DType::kFloat32:
      return add_numbers<float>(view, to);
    case DType::kInt64:
      return add_numbers<int64_t>(view, to);
    case DType::kInt32:
      return add_numbers<int32_t>(view, to);
    default:
      return add_numbers<uint8_t>(view, to);
  }
}

TEST(Hdf5Source, GivesTheNumbersThatH5pyReads) {
  const auto stored = nlohmann::json::parse(read_file(kTestsFolder + "parity/hdf5.json"));
  for (const auto& [name, datasets] : stored.items())
    for (const auto& [path, array] : datasets.items()) {
      const auto source = opened_hdf5({.file = hdf5_path(name), .datasets = {{"x", path}}});
      ASSERT_EQ(source->size(), array["shape"][0].get<int64_t>());
      if (source->keys()[0].spec.dtype == DType::kFloat16) continue;
      std::vector<double> values;
      for (int64_t i = 0; i < source->size(); ++i)
        with_value(*source, "x", i, [&](const View& view) { add_values(view, values); });
      EXPECT_EQ(values, array["values"].get<std::vector<double>>()) << name << " " << path;
    }
}

TEST(Hdf5Source, TakesAllDatasetsWithoutBeingAsked) {
  const auto source = opened_hdf5({.file = hdf5_path("rows"), .images = {"train_image"}});
  ASSERT_EQ(source->keys().size(), 3U);
  EXPECT_EQ(source->keys()[2].key, "train_image");
  EXPECT_EQ(source->keys()[2].spec.text(), "uint8 [B, 5, 7, 3]");
  EXPECT_EQ(source->describe(2), "rows.h5[2]");
}

TEST(Hdf5Source, CountsTheChunksThatItMayKeepUnpacked) {
  const auto chunked = opened_hdf5({.file = hdf5_path("filters"), .datasets = {{"x", "lzf"}}});
  EXPECT_EQ(chunked->resident_bytes(), 40 * 9 * sizeof(int16_t) + 2 * sizeof(Hdf5Chunk));
  const auto whole = opened_hdf5({.file = hdf5_path("rows"), .datasets = {{"x", "label"}}});
  EXPECT_EQ(whole->resident_bytes(), 0U);
}

TEST(Hdf5Source, SaysWhatDoesNotFit) {
  const auto fault = [](const sources::Hdf5Options& options) {
    return message_of<Error>([&] { (void)opened_hdf5(options); });
  };
  const std::string rows = hdf5_path("rows");
  EXPECT_EQ(fault({.file = rows, .datasets = {{"x", "train/imagee"}}}),
            "datasets: " + rows + " has no array 'train/imagee'. Did you mean 'train/image'?");
  const std::string other = hdf5_path("unreadable");
  EXPECT_EQ(fault({.file = other, .datasets = {{"x", "single"}}}),
            other + ": dataset 'single': is a single number; an array has a row for each sample.");
}

}  // namespace
}  // namespace hearth
