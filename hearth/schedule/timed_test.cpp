#include "hearth/schedule/timed.h"

#include <gtest/gtest.h>

#include "hearth/config/yaml.h"
#include "hearth/schedule/schedules/linear.h"

namespace hearth {
namespace {

struct BlurOptions {
  std::string key = "image";
  double strength = 1;
  std::vector<double> weights = {1, 2};
  int64_t rounds = 3;
  static const Schema<BlurOptions>& schema() {
    using O = BlurOptions;
    static const auto fields = Schema<O>()
                                   .field(&O::key, "key", "Key.")
                                   .field(&O::strength, "strength", "Strength.")
                                   .field(&O::weights, "weights", "Weights.")
                                   .field(&O::rounds, "rounds", "Rounds.");
    return fields;
  }
};

class Blur : public Schedule {  // any kind will do
 public:
  using Options = BlurOptions;
  using TimedOptions = Timed<BlurOptions>;
  explicit Blur(TimedOptions options) : options_(std::move(options)) {}
  double value(const Moment& moment) const override { return options_.at(moment).strength; }
  std::pair<double, double> range() const override { return {0, 1}; }
  std::vector<int64_t> changes(const TrainingLength& length) const override {
    return options_.changes(length);
  }

 private:
  TimedOptions options_;
};

Moment at_step(int64_t step) { return {step, 0, {10, 10, 1}}; }

TEST(Timed, AsksANumberAtEveryStep) {
  const auto options = Timed<BlurOptions>::read(
      parse_yaml("{strength: {linear: {first: 0, last: 10, end: 10st}}, rounds: 5}", "a.yaml"));
  EXPECT_EQ(options.at(at_step(3)).strength, 3);
  EXPECT_EQ(options.at(at_step(7)).strength, 7);
  EXPECT_EQ(options.fixed().rounds, 5);
  EXPECT_FALSE(options.is_constant());
}

TEST(Timed, AsksElementsOfLists) {
  const auto options = Timed<BlurOptions>::read(
      parse_yaml("{weights: [7, {linear: {first: 0, last: 10, end: 10st}}]}", "a.yaml"));
  EXPECT_EQ(options.at(at_step(4)).weights, (std::vector<double>{7, 4}));
}

TEST(Timed, TakesOneScheduleForAListOfOne) {
  const auto options = Timed<BlurOptions>::read(
      parse_yaml("{weights: {linear: {first: 0, last: 10, end: 10st}}}", "a.yaml"));
  EXPECT_EQ(options.at(at_step(4)).weights, (std::vector<double>{4}));
}

TEST(Timed, LeavesPlainOptionsAlone) {
  const Timed<BlurOptions> options = BlurOptions{.strength = 2};
  EXPECT_TRUE(options.is_constant());
  EXPECT_EQ(options.at(at_step(3)).strength, 2);
}

TEST(Timed, SaysInTheSchemaWhichNumbersMove) {
  Registry<Schedule> registry;
  registry.add<Blur>("blur", "Blurs.");
  const SchemaInfo schema = registry.schema("blur", {});
  EXPECT_TRUE(schema.find("strength")->type.is_scheduled);
  EXPECT_TRUE(schema.find("weights")->type.element->is_scheduled);
  EXPECT_FALSE(schema.find("rounds")->type.is_scheduled);
  const auto made = registry.make(
      {"blur", parse_yaml("{strength: {linear: {first: 0, last: 10, end: 10st}}}", "a.yaml")});
  EXPECT_EQ(made->value(at_step(6)), 6);
}

}  // namespace
}  // namespace hearth
