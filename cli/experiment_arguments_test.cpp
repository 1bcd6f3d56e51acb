// Tests of how files and overrides are told apart.
#include "cli/experiment_arguments.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "hearth/base/error.h"
#include "hearth/experiment/options.h"

namespace hearth::cli {
namespace {

TEST(ExperimentArguments, TakeAWordWithAnEqualsSignAsAnOverride) {
  EXPECT_TRUE(is_override("train.epochs=3"));
  EXPECT_TRUE(is_override("data.train.images.folder=/data/images"));
  EXPECT_TRUE(is_override("metrics+=accuracy"));
  EXPECT_FALSE(is_override("digits.yaml"));
  EXPECT_FALSE(is_override("missing/digits.yaml"));
}

TEST(ExperimentArguments, TakeAnExistingFileWithAnEqualsSignInItsNameAsAFile) {
  const auto folder = std::filesystem::temp_directory_path() / "hearth_arguments_test";
  std::filesystem::create_directories(folder);
  const std::string file = (folder / "lr=0.1.yaml").string();
  std::ofstream(file) << "name: a\n";
  EXPECT_FALSE(is_override(file));
  std::filesystem::remove_all(folder);
  EXPECT_TRUE(is_override(file));
}

TEST(ExperimentArguments, KeepTheOrderOfFilesAndOfOverrides) {
  ExperimentArguments arguments;
  sort_words({"a.yaml", "seed=1", "b.yaml", "seed=2"}, "train", arguments);
  EXPECT_THAT(arguments.files, testing::ElementsAre("a.yaml", "b.yaml"));
  EXPECT_THAT(arguments.overrides, testing::ElementsAre("seed=1", "seed=2"));
}

TEST(ExperimentArguments, NeedAFile) {
  ExperimentArguments arguments;
  EXPECT_THROW(sort_words({"seed=1"}, "train", arguments), ConfigError);
}

TEST(ExperimentArguments, OfferThePathOfEveryOptionOfAnExperiment) {
  const auto paths = override_paths(ExperimentOptions::schema().info());
  EXPECT_THAT(paths,
              testing::IsSupersetOf({"seed=", "data.batch_size=", "train.checkpoint.keep="}));
  EXPECT_THAT(paths, testing::Not(testing::Contains("train=")));
}

}  // namespace
}  // namespace hearth::cli
