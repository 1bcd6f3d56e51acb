#include "hearth/data/apply.h"

#include <gtest/gtest.h>

#include "hearth/base/error.h"
#include "hearth/base/message_of_test.h"
#include "hearth/config/registry.h"
#include "hearth/data/fixtures_test.h"
#include "hearth/data/ops/image/flip.h"
#include "hearth/data/ops/image/normalize.h"
#include "hearth/data/ops/image/random_shift.h"
#include "hearth/data/ops/image/resize.h"
#include "hearth/data/ops/meta/rename.h"

namespace hearth {
namespace {

using testing_data::Chain;
using testing_data::Ops;

TEST(Apply, RunsOneOpOnAPicture) {
  const Image image{2, 1, 1, {0, 100}};
  EXPECT_EQ(apply(sample_ops::resize({.size = {1, 4}}), image).image(),
            (Image{4, 1, 1, {0, 25, 75, 100}}));
}

TEST(Apply, RunsAListOnNamedValues) {
  const Sample made = apply(
      {sample_ops::flip({.horizontal = 1}), sample_ops::rename({.key = "image", .to = "picture"}),
       sample_ops::normalize({.key = "picture"})},
      {{"image", Image{2, 1, 1, {0, 255}}}});
  EXPECT_EQ(made.at("picture").values<float>(), (std::vector<float>{1, 0}));
  EXPECT_EQ(made.at("image").values<uint8_t>(), (std::vector<uint8_t>{255, 0}));
}

TEST(Apply, SaysWhichKeyIsMissing) {
  EXPECT_EQ(
      message_of<GraphError>([] {
        (void)apply({sample_ops::flip({.keys = {"picture"}})}, {{"image", Image{1, 1, 1, {0}}}});
      }),
      "apply: the op reads 'picture', but the sample has 'image'.");
  EXPECT_THROW((void)SampleValue(Spec{.shape = {3}}, std::vector<float>{1, 2}), InternalError);
}

// Bytes that tell the sample.
class OneImage : public testing_data::CountingSource {
 public:
  OneImage() : CountingSource(6) {}
  std::vector<KeySpec> keys() const override { return {{"image", SampleValue(image(0)).spec}}; }
  int64_t size() const override { return 6; }
  void read(int64_t index, std::span<const Cell> cells) const override {
    const Image made = image(index);
    std::copy(made.pixels.begin(), made.pixels.end(), cells[0].as<uint8_t>().begin());
  }
  std::string fingerprint() const override { return "one image"; }
  static Image image(int64_t index) {
    Image made{4, 4, 1, {}};
    for (int64_t i = 0; i < 16; ++i) made.pixels.push_back(static_cast<uint8_t>(16 * index + i));
    return made;
  }
};

TEST(Apply, DrawsWhatARunWouldDraw) {
  const std::vector<Choice<SampleOp>> choices = {sample_ops::random_shift({.pixels = 2}),
                                                 sample_ops::random_shift({.pixels = 2}),
                                                 sample_ops::flip()};
  Ops ops;
  for (const Choice<SampleOp>& choice : choices) ops.push_back(registry<SampleOp>().make(choice));
  const Chain chain(std::make_shared<OneImage>(), ops, {"image"},
                    {"random_shift", "random_shift", "flip"});
  Loader loader(6, {.batch_size = 6, .seed = 9}, chain.every_epoch());
  const HostBatch batch = loader.next();
  for (int64_t row = 0; row < 6; ++row) {
    const Sample alone = apply(choices, {{"image", OneImage::image(row)}},
                               {.seed = 9, .sample = static_cast<uint64_t>(row)});
    const auto pixels = batch.row(chain.newest("image"), row).as<uint8_t>();
    EXPECT_EQ(alone.at("image").values<uint8_t>(),
              std::vector<uint8_t>(pixels.begin(), pixels.end()));
  }
}

}  // namespace
}  // namespace hearth
