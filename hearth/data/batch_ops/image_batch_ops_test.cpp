// Batch ops on images: cutmix, random_size, mosaic.
#include <set>

#include <gtest/gtest.h>

#include "hearth/base/error.h"
#include "hearth/base/message_of_test.h"
#include "hearth/config/registry.h"
#include "hearth/data/batch_ops/cutmix.h"
#include "hearth/data/batch_ops/mosaic.h"
#include "hearth/data/batch_ops/random_size.h"
#include "hearth/data/fixtures_test.h"

namespace hearth {
namespace {

using testing_data::BatchOps;
using testing_data::Chain;

Spec image_spec(int64_t height, int64_t width) {
  return {.dtype = DType::kUint8, .shape = {height, width, 1}, .role = Role::kImage};
}

// Images of 8 x 8 of one value, the sample's number, with a box over their upper left quarter.
class Numbered : public testing_data::CountingSource {
 public:
  Numbered() : CountingSource(16) {}
  std::vector<KeySpec> keys() const override {
    return {{"image", image_spec(8, 8)},
            {"label", {.dtype = DType::kInt64, .classes = 16, .role = Role::kClass}},
            {"boxes", {.shape = {1, 4}, .role = Role::kBoxes}}};
  }
  int64_t size() const override { return 16; }
  void read(int64_t index, std::span<const Cell> cells) const override {
    if (cells[0].is_wanted())
      std::fill_n(cells[0].as<uint8_t>().data(), 64, static_cast<uint8_t>(index));
    if (cells[1].is_wanted()) cells[1].set(index);
    const float box[] = {0, 0, 4, 4};
    if (cells[2].is_wanted()) std::copy_n(box, 4, cells[2].as<float>().data());
  }
  std::string fingerprint() const override { return "numbered"; }
};

Chain chain_of(const Choice<BatchOp>& op, const std::vector<std::string>& wanted) {
  return {std::make_shared<Numbered>(),
          {},
          wanted,
          {op.name()},
          BatchOps{registry<BatchOp>().make(op)}};
}

TEST(Cutmix, GivesLabelsTheSharesOfThePoints) {
  const auto chain = chain_of(batch_ops::cutmix(), {"image", "label"});
  Loader loader(16, {.batch_size = 5, .epochs = 40}, chain.every_epoch());
  std::set<float> shares;
  for (HostBatch batch = loader.next(); !batch.is_empty(); batch = loader.next())
    for (int64_t row = 0; row < batch.rows(); ++row) {
      std::vector<float> expected(16);
      for (const uint8_t byte : batch.row(chain.newest("image"), row).as<uint8_t>())
        expected[byte] += 1.0F / 64;
      const auto label = batch.row(chain.newest("label"), row).as<float>();
      for (size_t i = 0; i < 16; ++i) EXPECT_NEAR(label[i], expected[i], 1e-6);
      shares.insert(label[static_cast<size_t>(batch.samples()[static_cast<size_t>(row)])]);
    }
  EXPECT_GT(shares.size(), 10U);
}

TEST(Cutmix, SaysWhatItNeeds) {
  const auto op = registry<BatchOp>().make(batch_ops::cutmix());
  const Spec label{.dtype = DType::kInt64, .classes = 16, .role = Role::kClass};
  EXPECT_EQ(message_of<GraphError>([&] {
              (void)op->infer({image_spec(kAnyLength, 8), label});
            }),
            "cutmix: key 'image' must be an image of one size, [B, height, width, channels], but "
            "is uint8 [B, ?, 8, 1] and image. Put resize or a crop into data.ops.");
  EXPECT_THROW((void)op->infer({image_spec(8, 8), Spec{}}), GraphError);
}

TEST(RandomSize, GivesEachBatchOneOfTheSizes) {
  const auto chain =
      chain_of(batch_ops::random_size({.keys = {"image", "boxes"}, .sizes = {4, 6, 16}}),
               {"image", "boxes"});
  Loader loader(16, {.batch_size = 4, .epochs = 10}, chain.every_epoch());
  std::set<int64_t> sides;
  for (HostBatch batch = loader.next(); !batch.is_empty(); batch = loader.next()) {
    const auto shape = batch.shape(chain.newest("image"));
    EXPECT_EQ(shape[0], shape[1]);
    sides.insert(shape[0]);
    for (int64_t row = 0; row < batch.rows(); ++row) {
      const auto half = static_cast<float>(shape[0]) / 2;
      const auto box = batch.row(chain.newest("boxes"), row).as<float>();
      EXPECT_EQ(std::vector<float>(box.begin(), box.end()), (std::vector<float>{0, 0, half, half}));
      for (const uint8_t byte : batch.row(chain.newest("image"), row).as<uint8_t>())
        EXPECT_EQ(byte, batch.samples()[static_cast<size_t>(row)]);
    }
  }
  EXPECT_EQ(sides, (std::set<int64_t>{4, 6, 16}));
}

// Each picture has one value: a box of the mosaic holds the value of the picture that it came with.
TEST(Mosaic, PutsFourPicturesIntoOneWithTheirBoxes) {
  const auto chain = chain_of(batch_ops::mosaic({.keys = {"image", "boxes"}, .size = {16, 12}}),
                              {"image", "boxes"});
  Loader loader(16, {.batch_size = 5, .epochs = 3}, chain.every_epoch());
  for (HostBatch batch = loader.next(); !batch.is_empty(); batch = loader.next())
    for (int64_t row = 0; row < batch.rows(); ++row) {
      const auto pixels = batch.row(chain.newest("image"), row).as<uint8_t>();
      const auto boxes = batch.row(chain.newest("boxes"), row).as<float>();
      ASSERT_EQ(pixels.size(), 16U * 12);
      ASSERT_EQ(boxes.size(), 16U);
      EXPECT_EQ(boxes[0], 0);  // upper left
      EXPECT_EQ(boxes[1], 0);
      EXPECT_EQ(boxes[12], 2 * boxes[2]);  // where the quarters meet: boxes are half of theirs
      EXPECT_EQ(boxes[13], 2 * boxes[3]);
      const auto own = static_cast<uint8_t>(batch.samples()[static_cast<size_t>(row)]);
      EXPECT_NE(std::find(pixels.begin(), pixels.end(), own), pixels.end());
    }
}

TEST(Mosaic, LeavesAShareOfTheImagesAlone) {
  const auto chain = chain_of(batch_ops::mosaic({.share = 0}), {"image"});
  Loader loader(16, {.batch_size = 16}, chain.every_epoch());
  const HostBatch batch = loader.next();
  for (int64_t row = 0; row < batch.rows(); ++row)
    for (const uint8_t byte : batch.row(chain.newest("image"), row).as<uint8_t>())
      EXPECT_EQ(byte, batch.samples()[static_cast<size_t>(row)]);
}

TEST(Mosaic, SaysWhatItNeeds) {
  const auto fault = [](const batch_ops::MosaicOptions& options, const std::vector<Spec>& specs) {
    const auto op = registry<BatchOp>().make(batch_ops::mosaic(options));
    return message_of<GraphError>([&] { (void)op->infer(specs); });
  };
  EXPECT_EQ(fault({}, {image_spec(kAnyLength, 8)}),
            "mosaic: the image is uint8 [B, ?, 8, 1], of any size; give mosaic the `size` of its "
            "result.");
  const Spec label{.dtype = DType::kInt64, .classes = 16, .role = Role::kClass};
  EXPECT_EQ(fault({.keys = {"image", "label"}}, {image_spec(8, 8), label}),
            "mosaic: key 'label' is int64 [B], 16 classes, one value for a picture, but the result "
            "has four pictures. Leave it out, or use cutmix, which blends labels.");
}

}  // namespace
}  // namespace hearth
