// Tests of the names that new components may have.
#include "cli/component_name.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "hearth/base/error.h"
#include "hearth/base/files.h"

namespace hearth::cli {
namespace {

std::string said_of(const std::string& name) {
  try {
    require_good_name(name);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "good";
}

TEST(ComponentName, IsLowerCaseWords) {
  for (const char* name : {"ab", "conv3d", "random_crop", "classy", "news"})
    EXPECT_EQ(said_of(name), "good");
  for (const char* name : {"", "Gated", "2d", "a-b", "a b", "../a", "a__b", "a_"})
    EXPECT_NE(said_of(name), "good") << name;
}

TEST(ComponentName, IsNoWordOfCpp) {
  for (const char* name : {"class", "and", "xor_eq", "reinterpret_cast", "concept", "co_await",
                           "int", "errno", "stdin"})
    EXPECT_EQ(said_of(name), "The name '" + std::string(name) +
                                 "' is a word of C++; choose another, such as my_" + name + ".");
}

TEST(ComponentName, IsNotTakenByTheBuildForAnotherSortOfFile) {
  for (const char* name : {"my_test", "my_fuzz", "fast_avx2"})
    EXPECT_THAT(said_of(name), testing::HasSubstr("another sort of file"));
}

TEST(ComponentName, IsFree) {
  const fs::path types =
      fs::temp_directory_path() / ("hearth_type_names_" + std::to_string(getpid()));
  write_file_durably(types, "Layer\nRunOptions\n");
  Catalog catalog;
  catalog.kinds = {{"layer", "", "", {}, false, {{"linear", "", {}}}}};
  for (const char* name : {"linear", "layer", "run"})
    EXPECT_THROW(require_free_name("layer", name, catalog, types), ConfigError) << name;
  EXPECT_NO_THROW(require_free_name("layer", "gated_linear", catalog, types));
  EXPECT_NO_THROW(require_free_name("schedule", "linear", catalog, types));
  fs::remove(types);
}

}  // namespace
}  // namespace hearth::cli
