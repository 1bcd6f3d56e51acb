// A picture file predicts what evaluation gives for it, whatever its format and size.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "hearth/base/files.h"
#include "hearth/data/ops/image/center_crop.h"
#include "hearth/data/ops/image/decode.h"
#include "hearth/data/ops/image/normalize.h"
#include "hearth/data/ops/image/resize.h"
#include "hearth/data/sources/image_folder.h"
#include "hearth/format/jpeg_writer.h"
#include "hearth/network/ops/cross_entropy.h"
#include "hearth/nn/architectures/mlp.h"
#include "hearth/optim/optimizers/sgd.h"
#include "hearth/train/estimator.h"
#include "hearth/train/predictor.h"

namespace hearth {
namespace {

Image slope(int64_t width, int64_t height, int64_t step) {
  Image image{width, height, 3, {}};
  for (int64_t y = 0; y < height; ++y)
    for (int64_t x = 0; x < width; ++x)
      for (const int64_t value : {step * x, 5 * y, x + y})
        image.pixels.push_back(static_cast<uint8_t>(value));
  return image;
}

fs::path picture_folder() {
  fs::path folder = fs::path(testing::TempDir()) / "picture_prediction";
  for (const char* name : {"train/steep", "train/flat", "eval/steep", "eval/flat"})
    make_folder(folder / name);
  for (int64_t i = 0; i < 4; ++i) {
    const std::string name = std::to_string(i) + ".jpg";
    write_file_durably(folder / "train/steep" / name, encode_jpeg(slope(50 + i, 40, 5)));
    write_file_durably(folder / "train/flat" / name, encode_jpeg(slope(44, 40 + i, 1)));
  }
  write_file_durably(folder / "eval/steep/one.jpg", encode_jpeg(slope(71, 53, 4)));
  return folder;
}

TEST(PicturePrediction, OfAJpegIsWhatEvaluationGives) {
  const fs::path folder = picture_folder();
  ExperimentOptions options;
  options.name = "pictures";
  options.data.train = sources::image_folder({.folder = (folder / "train").string()});
  options.data.eval = sources::image_folder({.folder = (folder / "eval").string()});
  options.data.batch_size = 4;
  options.data.ops = {sample_ops::decode(), sample_ops::resize({.size = {24}}),
                      sample_ops::center_crop({.size = {16}}), sample_ops::normalize()};
  options.model = layers::mlp({.hidden = {8}});
  options.loss = network_ops::cross_entropy();
  options.optimizer = optimizers::sgd({.lr = 0.01});
  options.train.epochs = 1;
  Estimator estimator(options, {.keeps_run = false});
  (void)estimator.fit();
  const double loss = estimator.evaluate().metrics.at("eval/loss");
  const std::vector<RawSample> samples = {
      {"one", {{"image", RawFile{folder / "eval/steep/one.jpg", false}}}}};
  const double probability = Predictor(estimator)(samples)[0].values().at(1);  // flat, steep
  EXPECT_NEAR(-std::log(probability), loss, 1e-5);
  fs::remove_all(folder);
}

}  // namespace
}  // namespace hearth
