// Faults, all at once, with whole messages.
#include "hearth/config/validate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/config/sample_catalog_test.h"
#include "hearth/config/yaml.h"

namespace hearth {
namespace {

std::string faults_in(const std::string& yaml) {
  const Catalog& catalog = sample::catalog();
  std::vector<std::string> lines;
  for (const Fault& fault : validate(parse_yaml(yaml, "a.yaml"), catalog.experiment, catalog))
    lines.push_back(fault.text());
  return join(lines, "\n");
}

// The fault of one line in a config that is otherwise right; the line is the second.
std::string fault_of_line(const std::string& line) { return faults_in("name: x\n" + line); }

struct Vector {
  std::string yaml;
  std::string fault;
};

void expect_faults(const std::vector<Vector>& vectors) {
  for (const Vector& vector : vectors)
    EXPECT_EQ(fault_of_line(vector.yaml), vector.fault) << vector.yaml;
}

TEST(Validate, TakesARightConfig) {
  for (const std::string line :
       {"data: {batch_size: 8, ops: [flip, {random_shift: {pixels: 2, when: train}}]}",
        "data: {ops: flip}",
        "data: {ops: {random_shift: {}}}",
        "data: {ops: {flip: }}",
        "data:",
        "data: {classes: cat}",
        "data: {classes: [1, true, 'x']}",
        "data: {ops: }",
        "optimizer: adamw",
        "optimizer: {adamw: }",
        "optimizer: {sgd: {lr: 1e-3}}",
        "optimizer: null",
        "optimizer: {sgd: {lr: cosine}}",
        "optimizer: {sgd: {lr: {cosine: {peak: 1, warmup: 0}}}}",
        "data: {ops: {random_shift: {pixels: {cosine: {peak: 4}}}}}",
        "train: {clip: null}",
        "data: {ops: {random_shift: {when: [train, eval], from: 3ep, until: null}}}",
        "sizes: {a: 1}",
        "train: {clip: 0.5, epochs: 2147483647}",
        "sizes: ",
        "stop: 50%",
        "modes: '!infer'",
        "modes: [train, '!infer']",
        "stop: 1e2st"})
    EXPECT_EQ(fault_of_line(line), "") << line;
}

TEST(Validate, ReportsAllFaultsInTheOrderOfTheFile) {
  EXPECT_EQ(faults_in("data:\n"
                      "  batch_size: 0\n"
                      "  ops: [filp]\n"
                      "trian: {}\n"
                      "train:\n"
                      "  traces:\n"
                      "    - early_stopping: {patience: 0, patiense: 3}\n"
                      "    - save\n"),
            "a.yaml:1:1: name: is required, but missing. Name of the run.\n"
            "a.yaml:2:15: data.batch_size: must be at least 1, but is 0.\n"
            "a.yaml:3:9: data.ops[0]: expected a component of kind sample_op (one of flip, "
            "random_shift), but got 'filp'. Did you mean 'flip'?\n"
            "a.yaml:4:1: there is no option 'trian'. Did you mean 'train'?\n"
            "a.yaml:7:34: train.traces[0].early_stopping.patience: must be at least 1, but is 0.\n"
            "a.yaml:7:37: train.traces[0].early_stopping: there is no option 'patiense'. Did you "
            "mean 'patience'?\n"
            "a.yaml:8:7: train.traces[1].save.folder: is required, but missing. Where to write.");
}

TEST(Validate, HoldsTheLimitsForEveryValueOfASchedule) {
  const auto range = [](const Node&) { return std::optional(std::pair(-1.0, 0.5)); };
  const Node config =
      parse_yaml("name: x\noptimizer: {sgd: {lr: {cosine: {peak: 1}}}}\n", "a.yaml");
  const std::vector<Fault> faults =
      validate(config, sample::catalog().experiment, sample::catalog(), range);
  ASSERT_EQ(faults.size(), 1U);
  EXPECT_THAT(faults[0].text(), testing::HasSubstr("but the schedule goes from -1 to 0.5."));
}

TEST(Validate, SaysHearthsFormForThatOfOtherFrameworks) {
  EXPECT_EQ(fault_of_line("optimizer: {type: sgd, lr: 1}"),
            "a.yaml:2:12: optimizer: names its component by 'type', but in Hearth the component's "
            "name is the key: `{sgd: {lr: ...}}`.");
  EXPECT_EQ(fault_of_line("optimizer: {name: SGD}"),
            "a.yaml:2:12: optimizer: names its component by 'name', but in Hearth the component's "
            "name is the key: `sgd`.");
}

TEST(Validate, KnowsWhereAnOptionBelongs) {
  EXPECT_EQ(fault_of_line("epochs: 3"),
            "a.yaml:2:1: there is no option 'epochs'. Did you mean 'train.epochs'?");
  EXPECT_EQ(fault_of_line("num_epochs: 3"),
            "a.yaml:2:1: there is no option 'num_epochs'. Did you mean 'train.epochs'?");
}

TEST(Validate, Integers) {
  const std::string expected = "a.yaml:2:17: train.epochs: expected integer, but got ";
  for (const std::string text :
       {"big", "1.0", "1e3", "0x10", "1_000", "true", "''", "' 1'", "--1", "1 2", "0b1"})
    EXPECT_TRUE(fault_of_line("train: {epochs: " + text + "}").starts_with(expected)) << text;
  expect_faults({
      {"train: {epochs: big}", expected + "'big'."},
      {"train: {epochs: null}", expected + "nothing."},
      {"train: {epochs: [1]}", expected + "a list."},
      {"train: {epochs: {a: 1}}", expected + "a map."},
      {"train: {epochs: -5}", "a.yaml:2:17: train.epochs: must be at least 1, but is -5."},
      {"train: {epochs: '3'}", expected + "the text '3'. Leave the quotes out."},
      {"train: {epochs: 2147483648}",
       "a.yaml:2:17: train.epochs: must be at most 2147483647, but is 2147483648."},
      {"train: {epochs: 9223372036854775808}",
       "a.yaml:2:17: train.epochs: must fit into 64 bits, but is 9223372036854775808."},
  });
}

TEST(Validate, Numbers) {
  const std::string at = "a.yaml:2:15: train.clip: ";
  expect_faults({
      {"train: {clip: 0}", at + "must be above 0, but is 0."},
      {"train: {clip: -1e-9}", at + "must be above 0, but is -1e-9."},
      {"train: {clip: big}", at + "expected number or null, but got 'big'."},
      {"train: {clip: 0x1}", at + "expected number or null, but got '0x1'."},
      {"train: {clip: []}", at + "expected number or null, but got an empty list."},
      {"train: {clip: {cosine: {}}}",
       at + "expected number or null, but got the schedule 'cosine'; this number stays the same."},
      {"train: {clip: 1e999}", at + "must be a number that 64 bits can hold, but is 1e999."},
  });
  for (const std::string text : {"nan", "NaN", ".nan", "inf", "-inf", ".inf", "-.INF", "Infinity"})
    EXPECT_EQ(fault_of_line("train: {clip: " + text + "}"),
              at + "must be a finite number, but is " + text + ".");
}

TEST(Validate, BooleansAreTrueOrFalse) {
  for (const std::string text : {"yes", "no", "on", "off", "True", "FALSE", "y", "1", "0"})
    EXPECT_EQ(
        fault_of_line("optimizer: {sgd: {nesterov: " + text + "}}"),
        "a.yaml:2:29: optimizer.sgd.nesterov: expected true or false, but got '" + text + "'.");
}

TEST(Validate, RulesReachTheElementsOfLists) {
  expect_faults({
      {"optimizer: {adamw: {betas: [0.9, 1]}}",
       "a.yaml:2:34: optimizer.adamw.betas[1]: must be at least 0 and below 1, but is 1."},
      {"optimizer: {adamw: {betas: 2}}",
       "a.yaml:2:28: optimizer.adamw.betas: must be at least 0 and below 1, but is 2."},
      {"optimizer: {adamw: {betas: {a: 1}}}",
       "a.yaml:2:28: optimizer.adamw.betas: expected list of number, but got a map."},
      {"sizes: {a: 0}", "a.yaml:2:12: sizes.a: must be at least 1, but is 0."},
      {"sizes: [1]", "a.yaml:2:8: sizes: expected map of integer, but got a list."},
  });
}

TEST(Validate, TextAndOptions) {
  expect_faults({
      {"data: {ops: {random_shift: {key: ''}}}",
       "a.yaml:2:34: data.ops.random_shift.key: must not be empty."},
      {"data: {classes: [[a]]}", "a.yaml:2:18: data.classes[0]: expected text, but got a list."},
      {"data: 5", "a.yaml:2:7: data: expected options as a map, but got '5'."},
      {"data: [a]", "a.yaml:2:7: data: expected options as a map, but got a list."},
      {"zzz: 1",
       "a.yaml:2:1: there is no option 'zzz'. Known: name, data, optimizer, train, sizes, stop, "
       "modes."},
      {"optimizer: {adamw: {moment: 1}}",
       "a.yaml:2:21: optimizer.adamw: there is no option 'moment'. Known: lr, betas, "
       "weight_decay."},
  });
  EXPECT_EQ(faults_in("[a]"), "a.yaml:1:1: expected options as a map, but got a list.");
  EXPECT_EQ(faults_in("name:"), "a.yaml:1:1: name: is required, but missing. Name of the run.");
}

TEST(Validate, Components) {
  const std::string kind = "expected a component of kind optimizer (one of adamw, sgd), but got ";
  expect_faults({
      {"optimizer: adamx", "a.yaml:2:12: optimizer: " + kind + "'adamx'. Did you mean 'adamw'?"},
      {"optimizer: {adamx: {}}",
       "a.yaml:2:13: optimizer: " + kind + "'adamx'. Did you mean 'adamw'?"},
      {"optimizer: zzzzz", "a.yaml:2:12: optimizer: " + kind + "'zzzzz'."},
      {"optimizer: [sgd]", "a.yaml:2:12: optimizer: " + kind + "a list."},
      {"optimizer: {}", "a.yaml:2:12: optimizer: " + kind + "an empty map."},
      {"optimizer: {adamw: {}, sgd: {}}",
       "a.yaml:2:12: optimizer: names two components, 'adamw' and 'sgd'; this place takes one."},
      {"optimizer: {a: , b: , c: }",
       "a.yaml:2:12: optimizer: names 3 components, 'a', 'b' and more; this place takes one."},
      {"optimizer: {adamw: , lr: 1}",
       "a.yaml:2:12: optimizer: 'lr' belongs inside the options of 'adamw'; indent it further."},
      {"optimizer: {adamw: 5}",
       "a.yaml:2:20: optimizer.adamw: expected options as a map, but got '5'."},
      {"data: {ops: [null]}",
       "a.yaml:2:14: data.ops[0]: expected a component of kind sample_op (one of flip, "
       "random_shift), but got nothing."},
      {"train: {traces: {save: {folder: a, keep: bets}}}",
       "a.yaml:2:42: train.traces.save.keep: expected one of best, last, all, but got 'bets'. Did "
       "you mean 'best'?"},
  });
}

TEST(Validate, SchedulesStandForNumbers) {
  expect_faults({
      {"optimizer: {sgd: {lr: {cosine: {peek: 1}}}}",
       "a.yaml:2:33: optimizer.sgd.lr.cosine: there is no option 'peek'. Did you mean 'peak'?"},
      {"optimizer: {sgd: {lr: {cosin: {}}}}",
       "a.yaml:2:24: optimizer.sgd.lr: expected a component of kind schedule (one of cosine), but "
       "got 'cosin'. Did you mean 'cosine'?"},
      {"optimizer: {sgd: {lr: cosin}}",
       "a.yaml:2:23: optimizer.sgd.lr: expected number or schedule, but got 'cosin'. Did you mean "
       "'cosine'?"},
      {"optimizer: {sgd: {momentum: cosine}}",
       "a.yaml:2:29: optimizer.sgd.momentum: expected number, but got 'cosine'."},
      {"data: {ops: {random_shift: {pixels: 9}}}",
       "a.yaml:2:37: data.ops.random_shift.pixels: must be at least 0 and at most 8, but is 9."},
      {"data: {ops: {random_shift: {pixels: few}}}",
       "a.yaml:2:37: data.ops.random_shift.pixels: expected integer or schedule by epoch, but got "
       "'few'."},
  });
}

TEST(Validate, TimesAndModes) {
  const std::string time = "expected a time such as 3ep, 500st, 64000sm, 10min or 50%, but got ";
  const std::string mode =
      "expected a mode (train, eval, test, infer, or one with ! before it), but got ";
  expect_faults({
      {"stop: 3", "a.yaml:2:7: stop: " + time + "'3'."},
      {"stop: soon", "a.yaml:2:7: stop: " + time + "'soon'."},
      {"stop: -1ep", "a.yaml:2:7: stop: " + time + "'-1ep'."},
      {"stop: [3ep]", "a.yaml:2:7: stop: expected time, but got a list."},
      {"modes: trian", "a.yaml:2:8: modes: " + mode + "'trian'. Did you mean 'train'?"},
      {"modes: [train, '!evil']", "a.yaml:2:16: modes: " + mode + "'!evil'. Did you mean 'eval'?"},
      {"modes: []", "a.yaml:2:8: modes: must name at least one mode."},
      {"modes: {train: }", "a.yaml:2:8: modes: expected modes, but got a map."},
      {"data: {ops: {flip: {when: never}}}",
       "a.yaml:2:27: data.ops.flip.when: " + mode + "'never'."},
  });
}

TEST(Validate, SharedFieldsBelongToTheirKindOnly) {
  EXPECT_EQ(
      fault_of_line("optimizer: {sgd: {when: train}}"),
      "a.yaml:2:19: optimizer.sgd: there is no option 'when'. Known: lr, momentum, nesterov.");
}

TEST(Validate, OneTypeAlone) {
  const auto faults =
      validate_type(Node::scalar("x"), TypeOf<int64_t>::type(), "a.b", sample::catalog());
  ASSERT_EQ(faults.size(), 1U);
  EXPECT_EQ(faults[0].text(), "a.b: expected integer, but got 'x'.");
}

TEST(Validate, ThrowsOneLineAFault) {
  throw_faults({});
  try {
    throw_faults({{{}, "a", "is wrong."}, {{}, "", "is worse."}});
    FAIL() << "faults were not thrown";
  } catch (const ConfigError& error) {
    EXPECT_STREQ(error.what(), "a: is wrong.\nis worse.");
  }
}

TEST(Validate, AKindThatTheCatalogLacksIsADefect) {
  const Type type = TypeOf<Choice<Metric>>::type();
  EXPECT_THROW((void)validate_type(Node::scalar("x"), type, "a", sample::catalog()), InternalError);
}

}  // namespace
}  // namespace hearth
