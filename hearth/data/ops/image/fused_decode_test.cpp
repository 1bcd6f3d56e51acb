// Tests of decode and the op after it as one: the same points as the two, and how far a picture
// that is read smaller is from them.
#include <cmath>
#include <cstring>

#include <gtest/gtest.h>

#include "hearth/config/registry.h"
#include "hearth/data/cache_choice.h"
#include "hearth/data/fixtures_test.h"
#include "hearth/data/ops/image/center_crop.h"
#include "hearth/data/ops/image/decode.h"
#include "hearth/data/ops/image/flip.h"
#include "hearth/data/ops/image/random_crop.h"
#include "hearth/data/ops/image/random_resized_crop.h"
#include "hearth/data/ops/image/resize.h"
#include "hearth/format/jpeg_writer.h"
#include "hearth/format/png.h"

namespace hearth {
namespace {

using testing_data::Chain;
using testing_data::Ops;

// A scene with slopes, edges and fine structure, as a photograph has them.
Image scene(int64_t width, int64_t height, double shift) {
  Image image{width, height, 3, {}};
  for (int64_t y = 0; y < height; ++y)
    for (int64_t x = 0; x < width; ++x) {
      const double u = static_cast<double>(x) / static_cast<double>(width) + shift;
      const double v = static_cast<double>(y) / static_cast<double>(height);
      const double disk = std::hypot(u - 0.5, v - 0.4) < 0.2 ? 60 : 0;
      const double fine = 12 * std::sin(90 * u) * std::cos(70 * v);
      for (const double value : {120 * u + disk, 150 * v + fine, 80 + 60 * std::sin(9 * (u + v))})
        image.pixels.push_back(static_cast<uint8_t>(std::clamp(value, 0.0, 255.0)));
    }
  return image;
}

// Pictures of different sizes and formats in memory.
class Pictures : public Source {
 public:
  explicit Pictures(std::vector<std::string> files) : files_(std::move(files)) {}
  std::vector<KeySpec> keys() const override {
    Spec spec{.dtype = DType::kUint8, .shape = {kAnyLength}};
    spec.role = Role::kEncodedImage;
    return {{"image", spec}};
  }
  int64_t size() const override { return static_cast<int64_t>(files_.size()); }
  void read(int64_t index, std::span<const Cell> cells) const override {
    const std::string& file = files_[static_cast<size_t>(index)];
    const View room = cells[0].take({static_cast<int64_t>(file.size())});
    std::memcpy(room.data, file.data(), file.size());
  }
  std::string fingerprint() const override { return "pictures"; }
  std::string describe(int64_t index) const override { return std::to_string(index); }

 private:
  std::vector<std::string> files_;
};

std::shared_ptr<const Source> small_pictures() {
  std::vector<std::string> files;
  for (int64_t i = 0; i < 6; ++i) {
    const Image image = scene(90 + 17 * i, 61 + 11 * i, 0.01 * static_cast<double>(i));
    files.push_back(i == 4 ? encode_png(image) : encode_jpeg(image, {85, i % 2 == 0, i % 3 == 0}));
  }
  return std::make_shared<Pictures>(files);
}

struct Made {
  size_t steps = 0;
  std::vector<std::vector<uint8_t>> images;
};

Made made_by(const std::shared_ptr<const Source>& source, const sample_ops::DecodeOptions& decode,
             const Choice<SampleOp>& after, bool is_fused) {
  Chain chain(
      source,
      Ops{registry<SampleOp>().make(sample_ops::decode(decode)), registry<SampleOp>().make(after)},
      {"image"}, {"decode", after.name()});
  const auto last = static_cast<size_t>(chain.newest("image"));
  if (!is_fused) chain.plan.values[last - 1].is_recorded = true;  // so that it must be there
  LoaderOptions options{.batch_size = 3, .workers = 0};
  options.epochs = 2;
  Made made{chain.made()->steps.size(), {}};
  Loader loader(source->size(), options, chain.every_epoch());
  for (HostBatch batch = loader.next(); !batch.is_empty(); batch = loader.next())
    for (int64_t row = 0; row < batch.rows(); ++row) {
      const auto image = batch.row(static_cast<int>(last), row).as<uint8_t>();
      made.images.emplace_back(image.begin(), image.end());
    }
  return made;
}

TEST(FusedDecode, HasThePointsOfTheTwoOps) {
  const std::vector<Choice<SampleOp>> ops = {
      sample_ops::random_resized_crop({.size = {40, 30}}),
      sample_ops::random_crop({.size = {50}}),
      sample_ops::random_crop({.size = {80, 100}, .padding = 30, .fill = 9}),
      sample_ops::center_crop({.size = {31, 45}}),
      sample_ops::resize({.size = {48, 20}}),
      sample_ops::flip()};
  for (const Choice<SampleOp>& op : ops) {
    const auto source = small_pictures();
    const Made apart = made_by(source, {}, op, false);
    const Made fused = made_by(source, {}, op, true);
    EXPECT_EQ(apart.steps, 2U);
    EXPECT_EQ(fused.steps, 1U);
    ASSERT_EQ(fused.images.size(), 12U);
    EXPECT_EQ(fused.images, apart.images) << op.name();
  }
}

double mean_difference(const std::vector<uint8_t>& left, const std::vector<uint8_t>& right) {
  double sum = 0;
  for (size_t i = 0; i < left.size(); ++i) sum += std::abs(left[i] - right[i]);
  return sum / static_cast<double>(left.size());
}

TEST(FusedDecode, ReadsALargePictureSmallerWithinTheStatedTolerance) {
  const auto source = std::make_shared<Pictures>(
      std::vector{encode_jpeg(scene(1203, 901, 0)), encode_jpeg(scene(701, 640, 0.1))});
  for (const Choice<SampleOp>& op :
       {sample_ops::resize({.size = {64}}), sample_ops::random_resized_crop({.size = {48}})}) {
    const Made exact = made_by(source, {.scaled = false}, op, true);
    const Made apart = made_by(source, {}, op, false);
    const Made scaled = made_by(source, {}, op, true);
    EXPECT_EQ(exact.images, apart.images);
    EXPECT_NE(scaled.images, apart.images);
    for (size_t i = 0; i < apart.images.size(); ++i)
      EXPECT_LT(mean_difference(scaled.images[i], apart.images[i]), 1.0) << op.name() << " " << i;
  }
}

TEST(FusedDecode, MakesTheSameBesideACache) {
  const auto source = std::make_shared<Pictures>(std::vector{encode_jpeg(scene(701, 640, 0.1))});
  for (const Choice<SampleOp>& op :
       {sample_ops::resize({.size = {64}}), sample_ops::random_resized_crop({.size = {48}}),
        sample_ops::random_crop({.size = {50}})}) {
    const Chain chain(
        source, Ops{registry<SampleOp>().make(sample_ops::decode()), registry<SampleOp>().make(op)},
        {"image"}, {"decode", op.name()});
    const auto plan = std::make_shared<DataPlan>(
        make_data_plan(chain.plan, chain.nodes, source, Fusion::kAroundFixed));
    const CacheRequest request{.wanted = "memory", .memory_bytes = 1 << 24};
    plan->cache = make_cache(request, choose_cache(request, *plan), *plan);
    ASSERT_NE(plan->cache, nullptr);
    LoaderOptions options{.batch_size = 1, .workers = 0};
    options.epochs = 3;
    Loader cached(source->size(), options, [&](int64_t, int64_t) { return plan; });
    Loader plain(source->size(), options, chain.every_epoch());
    EXPECT_EQ(testing_data::hashes_of(cached), testing_data::hashes_of(plain)) << op.name();
    EXPECT_EQ(plan->cache->stored_samples(), 1) << op.name();
  }
}

// With EXIF's note of how the camera was held, right behind the file's beginning.
std::string jpeg_with_turn(const Image& image, char turn) {
  const std::string note(
      "\xFF\xE1\x00\x22"
      "Exif\0\0MM\0\x2A\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0",
      29);
  const std::string file = encode_jpeg(image);
  return file.substr(0, 2) + note + turn + std::string(6, '\0') + file.substr(2);
}

TEST(FusedDecode, TurnsPicturesAsTheirCamerasNoted) {
  const Image image = scene(70, 50, 0);
  std::vector<std::string> files;
  for (char turn = 1; turn <= 8; ++turn) files.push_back(jpeg_with_turn(image, turn));
  const auto source = std::make_shared<Pictures>(files);
  const sample_ops::DecodeOptions upright{.upright = true};
  for (const Choice<SampleOp>& op :
       {sample_ops::resize({.size = {24, 30}}), sample_ops::center_crop({.size = {31, 45}})}) {
    const Made apart = made_by(source, upright, op, false);
    EXPECT_EQ(made_by(source, upright, op, true).images, apart.images);
    EXPECT_EQ(made_by(source, {}, op, false).images[5], apart.images[0]);
    EXPECT_NE(apart.images[5], apart.images[0]);
  }
  const auto mirrored = made_by(source, upright, sample_ops::flip({.horizontal = 1}), false);
  const auto plain = made_by(source, {}, sample_ops::flip({.horizontal = 0}), false);
  EXPECT_EQ(mirrored.images[1], plain.images[0]);
}

TEST(FusedDecode, SaysWhatIsWrongWithAFile) {
  const std::string whole = encode_jpeg(scene(60, 40, 0));
  const auto source = std::make_shared<Pictures>(std::vector{whole.substr(0, 300)});
  try {
    (void)made_by(source, {}, sample_ops::resize({.size = {8}}), true);
    FAIL() << "no error";
  } catch (const DataError& error) {
    EXPECT_NE(std::string(error.what()).find("op 'decode+resize': the image: "), std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace hearth
