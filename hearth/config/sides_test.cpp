// Numbers for each side: one for all, one each, or a word.
#include "hearth/config/sides.h"

#include <gtest/gtest.h>

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/config/reference.h"
#include "hearth/config/sample_catalog_test.h"
#include "hearth/config/validate.h"
#include "hearth/config/yaml.h"

namespace hearth {
namespace {

struct WindowOptions {
  Sides<2> window = 3;
  Padding<2> padding = 0;
  Padding<1> border = 0;
  static const Schema<WindowOptions>& schema() {
    using O = WindowOptions;
    static const auto fields = Schema<O>()
                                   .field(&O::window, "window", "The window.", at_least(1))
                                   .field(&O::padding, "padding", "The padding.", at_least(0))
                                   .field(&O::border, "border", "The border.", at_least(0));
    return fields;
  }
};

WindowOptions read_options(const std::string& yaml) {
  return WindowOptions::schema().read(parse_yaml(yaml, "a.yaml"));
}

std::string faults_of(const std::string& yaml) {
  std::vector<std::string> lines;
  for (const Fault& fault :
       validate(parse_yaml(yaml, "a.yaml"), WindowOptions::schema().info(), sample::catalog()))
    lines.push_back(fault.text());
  return join(lines, "\n");
}

TEST(Sides, AreOneNumberOrOneEach) {
  const WindowOptions options{.window = {1, 7}, .padding = {0, 3}};
  EXPECT_EQ(options.window[0], 1);
  EXPECT_EQ(options.window[1], 7);
  EXPECT_EQ(options.padding.sides(), (Sides<2>(0, 3)));
  EXPECT_EQ((WindowOptions{.window = 5}).window, (Sides<2>(5, 5)));
  EXPECT_TRUE((WindowOptions{.padding = kSamePadding}).padding.is_same());
}

TEST(Sides, AreReadAndWrittenAsTheyAreGiven) {
  for (const std::string yaml :
       {"{window: 3, padding: 0, border: 2}", "{window: [1, 7], padding: [0, 3], border: same}",
        "{window: 2, padding: same, border: 0}"}) {
    const Node node = parse_yaml(yaml, "a.yaml");
    EXPECT_EQ(faults_of(yaml), "") << yaml;
    EXPECT_EQ(WindowOptions::schema().write(read_options(yaml)), node) << yaml;
    EXPECT_EQ(with_defaults(node, WindowOptions::schema().info(), sample::catalog()), node);
  }
}

TEST(Sides, RefuseWhatIsNoneWithTheReason) {
  EXPECT_EQ(faults_of("window: 0"), "a.yaml:1:9: window: must be at least 1, but is 0.");
  EXPECT_EQ(faults_of("window: [1, 0]"), "a.yaml:1:13: window[1]: must be at least 1, but is 0.");
  EXPECT_EQ(faults_of("window: []"), "a.yaml:1:9: window: must not be empty.");
  EXPECT_EQ(faults_of("window: same"), "a.yaml:1:9: window: expected integer, but got 'same'.");
  EXPECT_EQ(faults_of("padding: sane"),
            "a.yaml:1:10: padding: expected integer or list of integer or same, but got 'sane'. "
            "Did you mean 'same'?");
  EXPECT_EQ(faults_of("border: [1, 2]"),
            "a.yaml:1:9: border: expected integer or same, but got a list.");
  try {
    (void)read_options("window: [1, 2, 3]");
    FAIL();
  } catch (const ConfigError& error) {
    EXPECT_NE(std::string(error.what()).find("expected one number, or 2, but got 3."),
              std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace hearth
