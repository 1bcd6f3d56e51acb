// Tests of the files of a new component.
#include "cli/component_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "hearth/base/error.h"
#include "hearth/base/files.h"

namespace hearth::cli {
namespace {

using testing::HasSubstr;

const fs::path kTemplates = fs::path(HEARTH_SOURCE_DIR) / "cli" / "templates";
const fs::path kKinds = fs::path(HEARTH_STAGE_DIR) / "share" / "hearth" / "kinds.txt";

class ComponentFiles : public testing::Test {
 protected:
  ComponentFiles() : folder_(fs::temp_directory_path() / "hearth_component_files_test") {
    fs::remove_all(folder_);
  }
  ~ComponentFiles() override { fs::remove_all(folder_); }

  [[nodiscard]] std::vector<NewFile> layer(const std::string& name, const fs::path& folder) const {
    return component_files({"layer", "Layer", "hearth/nn/layers"}, name, folder, kTemplates);
  }

  fs::path folder_;
};

TEST_F(ComponentFiles, CarryTheNameInEveryForm) {
  const auto files = layer("gated_linear", folder_);
  ASSERT_EQ(files.size(), 4);
  EXPECT_EQ(files[0].path, folder_ / "gated_linear.h");
  EXPECT_EQ(files[2].path, folder_ / "gated_linear_test.cpp");
  EXPECT_EQ(files[3].path, folder_ / "gated_linear.case.yaml");
  EXPECT_THAT(files[0].content, HasSubstr("Choice<Layer> gated_linear(GatedLinearOptions"));
  EXPECT_THAT(files[1].content, HasSubstr("void register_gated_linear(Registry<Layer>&"));
  for (const NewFile& file : files) {
    EXPECT_THAT(file.content, testing::Not(HasSubstr("my_component")));
    EXPECT_THAT(file.content, testing::Not(HasSubstr("MyComponent")));
  }
}

TEST_F(ComponentFiles, IncludeFromTheRootInsideHearthsTreeOnly) {
  EXPECT_THAT(layer("ab", folder_)[1].content, HasSubstr("#include \"ab.h\""));
  make_folder(folder_ / "hearth" / "nn" / "layers");
  write_file_durably(folder_ / "hearth" / "parts.txt", "base:\n");
  EXPECT_THAT(layer("ab", folder_ / "hearth" / "nn" / "layers")[1].content,
              HasSubstr("#include \"hearth/nn/layers/ab.h\""));
  EXPECT_THAT(layer("ab", folder_ / "mine")[1].content, HasSubstr("#include \"ab.h\""));
}

TEST_F(ComponentFiles, AreWrittenOnceAndNeverOver) {
  write_new_files(layer("ab", folder_));
  fs::remove(folder_ / "ab.h");
  EXPECT_THROW(write_new_files(layer("ab", folder_)), DataError);
  EXPECT_FALSE(fs::exists(folder_ / "ab.h"));
}

TEST_F(ComponentFiles, RefuseABadName) {
  EXPECT_THROW(static_cast<void>(layer("../a", folder_)), ConfigError);
}

TEST_F(ComponentFiles, HaveATemplateForEveryKind) {
  const auto homes = component_homes(kKinds);
  EXPECT_GE(homes.size(), 8);
  for (const ComponentHome& home : homes)
    EXPECT_GE(component_files(home, "ab", folder_, kTemplates).size(), 3) << home.kind;
}

TEST_F(ComponentFiles, LieInTheFirstFolderOfTheirKind) {
  make_folder(folder_);
  write_file_durably(folder_ / "kinds.txt", "layer Layer hearth/nn/layer.h hearth/nn/layers x/y\n");
  const auto homes = component_homes(folder_ / "kinds.txt");
  ASSERT_EQ(homes.size(), 1);
  EXPECT_EQ(component_home(homes, "layer").base, "Layer");
  EXPECT_EQ(component_home(homes, "layer").folder, "hearth/nn/layers");
  EXPECT_THROW((void)component_home(homes, "layr"), ConfigError);
}

}  // namespace
}  // namespace hearth::cli
