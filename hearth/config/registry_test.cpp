// Choices and the registry that builds them.
#include "hearth/config/registry.h"

#include <gtest/gtest.h>

#include "hearth/base/error.h"
#include "hearth/config/sample_catalog_test.h"

namespace hearth {

struct RegistryTestShape {
  virtual ~RegistryTestShape() = default;
  int64_t size = 0;
};
template <>
struct KindOf<RegistryTestShape> {
  static constexpr const char* name = "shape";
};

namespace {

struct Square : RegistryTestShape {
  using Options = sample::ShiftOptions;
  explicit Square(const Options& options) { size = options.pixels; }
};

Registry<RegistryTestShape> shapes() {
  Registry<RegistryTestShape> made;
  made.add<Square>("square", "Four equal sides.");
  return made;
}

TEST(Registry, BuildsAComponentFromItsOptions) {
  const auto shape =
      shapes().make(choose<RegistryTestShape>("square", sample::ShiftOptions{.pixels = 5}));
  EXPECT_EQ(shape->size, 5);
}

TEST(Registry, DescribesItsComponents) {
  EXPECT_EQ(shapes().names(), std::vector<std::string>{"square"});
  EXPECT_EQ(shapes().components()[0].schema.names(), (std::vector<std::string>{"key", "pixels"}));
  EXPECT_EQ(shapes().members("square"), 2U);
}

TEST(Registry, RefusesAnUnknownNameWithTheNearest) {
  const Mark mark{std::make_shared<const std::string>("a.yaml"), 3, 4};
  try {
    (void)shapes().make({"sqare", Node::map({}, mark)});
    FAIL() << "built an unknown shape";
  } catch (const ConfigError& error) {
    EXPECT_STREQ(error.what(),
                 "a.yaml:3:4: expected a component of kind shape (one of square), but got 'sqare'. "
                 "Did you mean 'square'?");
  }
}

TEST(Registry, RefusesAnEmptyChoice) { EXPECT_THROW((void)shapes().make({}), ConfigError); }

TEST(Choice, ChainsItsChangesWithoutTouchingTheOriginal) {
  const auto plain = choose<SampleOp>("random_shift", sample::ShiftOptions{});
  const auto changed = plain.when(Mode::kTrain).from(epochs(2)).until(percent(80));
  EXPECT_EQ(plain.options().find("when"), nullptr);
  EXPECT_EQ(changed.options().find("when")->text(), "train");
  EXPECT_EQ(changed.options().find("from")->text(), "2ep");
  EXPECT_EQ(changed.options().find("until")->text(), "80%");
}

TEST(Choice, ReadsANameAndANameWithOptions) {
  const auto bare = TypeOf<Choice<Trace>>::read(Node::scalar("progress"));
  EXPECT_EQ(bare.name(), "progress");
  EXPECT_TRUE(bare.options().is_map());
  EXPECT_EQ(TypeOf<Choice<Trace>>::read(TypeOf<Choice<Trace>>::write(bare)).name(), "progress");
  EXPECT_TRUE(TypeOf<Choice<Trace>>::write({}).is_null());
}

}  // namespace
}  // namespace hearth
