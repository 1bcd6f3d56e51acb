// Options structs to nodes and back.
#include "hearth/config/schema.h"

#include <gtest/gtest.h>

#include "hearth/base/error.h"
#include "hearth/config/sample_catalog_test.h"
#include "hearth/config/validate.h"
#include "hearth/config/yaml.h"

namespace hearth {
namespace {

template <class T>
T round_trip(const T& value) {
  return TypeOf<T>::read(TypeOf<T>::write(value));
}

TEST(TypeOf, WritesWhatItReads) {
  EXPECT_EQ(round_trip(true), true);
  EXPECT_EQ(round_trip(false), false);
  EXPECT_EQ(round_trip(INT64_MIN), INT64_MIN);
  EXPECT_EQ(round_trip(0.1), 0.1);
  EXPECT_EQ(round_trip(1e-300), 1e-300);
  EXPECT_EQ(round_trip(std::string("null")), "null");
  EXPECT_EQ(round_trip(percent(12.5)), percent(12.5));
  EXPECT_EQ(round_trip(Modes(Mode::kTest)), Modes(Mode::kTest));
  EXPECT_EQ(round_trip(Modes::all()), Modes::all());
  EXPECT_EQ(round_trip(std::optional<int64_t>()), std::nullopt);
  EXPECT_EQ(round_trip(std::vector<int64_t>{1, 2}), (std::vector<int64_t>{1, 2}));
}

TEST(TypeOf, TextSurvivesYamlWhateverItLooksLike) {
  for (const std::string text : {"null", "~", "", "true", "1.0", " x ", "a: b", "[", "#", "!infer"})
    EXPECT_EQ(TypeOf<std::string>::read(
                  parse_yaml("x: " + to_yaml_line(TypeOf<std::string>::write(text)), "t")
                      .entries()[0]
                      .value),
              text);
}

TEST(TypeOf, ReadThrowsAtTheNodesMark) {
  const Node node = parse_yaml("x: big", "a.yaml").entries()[0].value;
  try {
    (void)TypeOf<int64_t>::read(node);
    FAIL() << "read a word as an integer";
  } catch (const ConfigError& error) {
    EXPECT_STREQ(error.what(), "a.yaml:1:4: expected integer, but got 'big'.");
  }
  EXPECT_THROW((void)TypeOf<bool>::read(Node::scalar("yes")), ConfigError);
  EXPECT_THROW((void)TypeOf<double>::read(Node::list()), ConfigError);
  EXPECT_THROW((void)TypeOf<std::string>::read(Node::map()), ConfigError);
  EXPECT_THROW((void)TypeOf<Time>::read(Node::scalar("3")), ConfigError);
  EXPECT_THROW((void)TypeOf<Modes>::read(Node::scalar("trian")), ConfigError);
}

TEST(Schema, WhatIsLeftOutKeepsItsDefault) {
  const auto options = sample::SgdOptions::schema().read(parse_yaml("{momentum: 0.9}", "a"));
  EXPECT_EQ(options.lr, 0.1);
  EXPECT_EQ(options.momentum, 0.9);
}

TEST(Schema, CheckOverSeveralFieldsNamesThePlace) {
  try {
    (void)sample::SgdOptions::schema().read(parse_yaml("nesterov: true", "a.yaml"));
    FAIL() << "the check held";
  } catch (const ConfigError& error) {
    EXPECT_STREQ(error.what(), "a.yaml:1:1: nesterov needs a momentum above 0.");
  }
}

TEST(Schema, OptionsFromCppPassValidationAndReadBack) {
  sample::ExperimentOptions options;
  options.name = "digits";
  options.optimizer = choose<Optimizer>("sgd", sample::SgdOptions{.momentum = 0.5});
  options.data.ops = {choose<SampleOp>("random_shift", sample::ShiftOptions{}).when(Mode::kTrain)};
  const Node node = sample::ExperimentOptions::schema().write(options);
  throw_faults(validate(node, sample::catalog().experiment, sample::catalog()));
  const auto read = sample::ExperimentOptions::schema().read(node);
  EXPECT_EQ(read.optimizer.name(), "sgd");
  EXPECT_EQ(read.optimizer.options().find("momentum")->text(), "0.5");
  EXPECT_EQ(read.data.ops[0].options().find("when")->text(), "train");
  EXPECT_EQ(read.train.traces[0].name(), "progress");
}

TEST(Schema, CountsTheMembersOfAnAggregate) {
  EXPECT_EQ(member_count<sample::ExperimentOptions>(), 7U);
  EXPECT_EQ(member_count<sample::TrainOptions>(), 3U);
  EXPECT_EQ(member_count<sample::SgdOptions>(), 3U);
}

}  // namespace
}  // namespace hearth
