// Help and pages made from the catalog.
#include "hearth/config/reference.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "hearth/config/sample_catalog_test.h"

namespace hearth {
namespace {

using testing::HasSubstr;

std::string help_of(const std::string& kind_name, const std::string& name) {
  const KindInfo& kind = *sample::catalog().kind(kind_name);
  return component_help(kind, *kind.find(name), 100);
}

TEST(ComponentHelp, IsATableWithExamples) {
  EXPECT_EQ(help_of("trace", "early_stopping"),
            "early_stopping (trace, goes to train.traces)\n"
            "Stops when nothing improves.\n"
            "\n"
            "  option    type     default  rule        meaning\n"
            "  monitor   text     loss                 Key to watch.\n"
            "  patience  integer  3        at least 1  Epochs to wait without improvement.\n"
            "\n"
            "YAML  early_stopping: {monitor: loss, patience: 3}\n"
            "C++   traces::early_stopping({.monitor = \"loss\", .patience = 3})\n");
}

TEST(ComponentHelp, NamesWhatAllOfTheKindTake) {
  EXPECT_EQ(help_of("sample_op", "flip"),
            "flip (sample_op, goes to data.ops)\n"
            "Flips.\n"
            "\n"
            "  It takes no options of its own.\n"
            "\n"
            "Every sample_op also takes when, from, until, every, offset.\n"
            "A schedule is asked at every step, one by epoch as an epoch starts.\n"
            "\n"
            "YAML  flip: {}\n"
            "C++   sample_ops::flip()\n");
}

TEST(ComponentHelp, ShowsRequiredOptionsListsAndTimes) {
  EXPECT_THAT(help_of("trace", "save"), HasSubstr("YAML  save: {folder: '...', keep: best}\n"
                                                  "C++   traces::save({.folder = \"...\", .keep = "
                                                  "\"best\"})\n"));
  EXPECT_THAT(help_of("trace", "save"), HasSubstr("  folder  path                    required"));
  EXPECT_THAT(
      help_of("optimizer", "adamw"),
      HasSubstr(
          "C++   optimizers::adamw({.lr = 0.001, .betas = {0.9, 0.999}, .weight_decay = 0.01})"));
  EXPECT_THAT(help_of("schedule", "cosine"),
              HasSubstr("C++   schedules::cosine({.peak = 0.1, .warmup = steps(0)})"));
}

TEST(SchemaHelp, FlattensNestedOptions) {
  const std::string help = schema_help("The config file", sample::catalog().experiment, 120);
  EXPECT_THAT(help, testing::StartsWith("The config file\n\n  option"));
  EXPECT_THAT(help, HasSubstr("\n  train.epochs     integer            1"));
  EXPECT_THAT(help, HasSubstr("\n  optimizer        optimizer          none"));
}

TEST(ComponentHelp, IsAListOnANarrowPage) {
  const KindInfo& kind = *sample::catalog().kind("trace");
  EXPECT_THAT(component_help(kind, *kind.find("early_stopping"), 40),
              HasSubstr("  monitor: text; default loss\n"
                        "      Key to watch.\n"
                        "  patience: integer, at least 1;\n"
                        "      default 3\n"
                        "      Epochs to wait without\n"
                        "      improvement.\n"));
}

TEST(OptionAt, FollowsAPathThroughGroupsListsAndComponents) {
  const Catalog& catalog = sample::catalog();
  const auto help_at = [&](const std::string& path) {
    const auto field = option_at(catalog, path);
    return field ? field->name + ": " + field->help : "nothing";
  };
  EXPECT_EQ(help_at("train.epochs").substr(0, 14), "train.epochs: ");
  EXPECT_EQ(help_at("optimizer.adamw.lr"), "optimizer.adamw.lr: Learning rate.");
  EXPECT_EQ(help_at("adamw.lr"), "adamw.lr: Learning rate.");
  EXPECT_EQ(help_at("train.traces[0].early_stopping.patience").substr(0, 40),
            "train.traces[0].early_stopping.patience:");
  EXPECT_EQ(option_at(catalog, "train")->type.kind, TypeKind::kOptions);
  for (const char* path : {"", "trian", "train.", "train.epochs.more", "adamw", "adamw.lrr"})
    EXPECT_EQ(help_at(path), "nothing") << path;
}

TEST(ReferencePage, HasASectionAComponent) {
  const std::string page = reference_page(*sample::catalog().kind("sample_op"));
  EXPECT_THAT(page,
              testing::StartsWith("# sample_op\n\nOps on one sample.\n\nIn a config it goes to "
                                  "`data.ops`.\n"));
  EXPECT_THAT(page, HasSubstr("| `until` | time or null | none |  | When it stops; never by "
                              "default. |\n"));
  EXPECT_THAT(page, HasSubstr("\n## flip\n\nFlips.\n\nIt takes no options.\n"));
  EXPECT_THAT(page,
              HasSubstr("\n## random_shift\n\nShifts by some pixels.\n\n"
                        "| option | type | default | rule | meaning |\n|---|---|---|---|---|\n"
                        "| `key` | text | `image` | not empty | Key to change. |\n"
                        "| `pixels` | integer or schedule by epoch | `1` | at least 0 and at most "
                        "8 | Most pixels. "
                        "|\n"));
  EXPECT_THAT(page, HasSubstr("```yaml\nrandom_shift: {key: image, pixels: 1}\n```\n"));
  EXPECT_THAT(
      page, HasSubstr("```cpp\nsample_ops::random_shift({.key = \"image\", .pixels = 1})\n```\n"));
}

TEST(ReferencePage, SaysWhatHoldsForAllOnce) {
  const std::string page = reference_page(*sample::catalog().kind("sample_op"));
  for (const char* once : {"Ops on one sample.", "A number `or schedule` is asked"})
    EXPECT_EQ(page.find(once), page.rfind(once)) << once;
}

TEST(ReferencePage, ListsTheOptionsOfItemsAndEntries) {
  using Shifts = std::vector<sample::ShiftOptions>;
  const Field parts{"parts", "", TypeOf<Shifts>::type(), {}, false};
  const Field named{"named", "", TypeOf<std::map<std::string, Shifts>>::type(), {}, false};
  KindInfo kind{"x", "", "", {}, false, {}};
  kind.components = {{"y", "", {{parts, named}}}};
  EXPECT_THAT(reference_page(kind), HasSubstr("| `parts[].pixels` | integer | `1` |"));
  EXPECT_THAT(reference_page(kind), HasSubstr("| `named.<name>[].key` | text | `image` |"));
  const Field perhaps{
      "perhaps", "Shifts too.", TypeOf<std::optional<sample::ShiftOptions>>::type(), {}, false};
  kind.components = {{"y", "", {{perhaps}}}};
  EXPECT_THAT(reference_page(kind),
              HasSubstr("| `perhaps` | options or null | none |  | Shifts too. |\n"
                        "| `perhaps.key` | text | `image` |"));
}

TEST(ReferencePage, EscapesBarsInTables) {
  KindInfo kind{"x", "", "", {}, false, {}};
  kind.components = {{"y", "", {{{"a", "this | that", {}, Node(), false}}}}};
  EXPECT_THAT(reference_page(kind), HasSubstr("| this \\| that |"));
}

TEST(ExperimentPage, ListsOptionsAndKinds) {
  const std::string page = experiment_page(sample::catalog());
  EXPECT_THAT(page, HasSubstr("| `name` | text | required |  | Name of the run. |\n"));
  EXPECT_THAT(page, HasSubstr("| `train.clip` | number or null | none | above 0 |"));
  EXPECT_THAT(page, HasSubstr("- [trace](trace.md): Observers. In `train.traces`.\n"));
}

}  // namespace
}  // namespace hearth
