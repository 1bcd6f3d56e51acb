// Sources that combine, cut and repeat others: what lies where, for many sizes and seeds.
#include <algorithm>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "hearth/base/error.h"
#include "hearth/base/long_work.h"
#include "hearth/base/message_of_test.h"
#include "hearth/config/registry.h"
#include "hearth/core/random.h"
#include "hearth/data/column.h"
#include "hearth/data/sources/balanced.h"
#include "hearth/data/sources/digits.h"
#include "hearth/data/sources/join.h"
#include "hearth/data/sources/repeat.h"
#include "hearth/data/sources/shard.h"
#include "hearth/data/sources/split.h"
#include "hearth/data/sources/subset.h"
#include "hearth/data/sources/synthetic.h"
#include "hearth/data/sources/zip.h"

namespace hearth {
namespace {

constexpr int64_t kHuge = 1'000'000'000'000;

// `id` is the sample's number, `label` and `person` follow from it; `name` is a text.
struct NumberedOptions {
  int64_t size = 10;
  int64_t classes = 3;
  int64_t first = 0;
  static const Schema<NumberedOptions>& schema() {
    using O = NumberedOptions;
    static const auto schema = Schema<O>()
                                   .field(&O::size, "size", "Samples.", of_64_bits())
                                   .field(&O::classes, "classes", "Classes.")
                                   .field(&O::first, "first", "The first id.", of_64_bits());
    return schema;
  }
};

class Numbered : public Source {
 public:
  using Options = NumberedOptions;
  explicit Numbered(Options options) : options_(options) {}
  std::vector<KeySpec> keys() const override {
    Spec name{.dtype = DType::kUint8, .shape = {kAnyLength}};
    name.role = Role::kText;
    return {{"id", {.dtype = DType::kInt64}},
            {"label", {.dtype = DType::kInt64, .classes = options_.classes, .role = Role::kClass}},
            {"person", {.dtype = DType::kInt64}},
            {"name", name}};
  }
  int64_t size() const override { return options_.size; }
  // Class 0 is the most frequent one; a person has one to seven samples.
  static int64_t label_of(int64_t id, int64_t classes) {
    return id % 4 < 2 ? 0 : (id / 4) % classes;
  }
  static int64_t person_of(int64_t id) { return id / 7 + (id % 7 == 3 ? 1000 : 0); }
  void read(int64_t index, std::span<const Cell> cells) const override {
    const int64_t id = options_.first + index;
    if (cells[0].is_wanted()) cells[0].set(id);
    if (cells[1].is_wanted()) cells[1].set(label_of(id, options_.classes));
    if (cells[2].is_wanted()) cells[2].set(person_of(id));
    if (cells[3].is_wanted()) {
      const std::string text = "n" + std::to_string(id);
      const View room = cells[3].take({static_cast<int64_t>(text.size())});
      std::copy(text.begin(), text.end(), room.as<char>().begin());
    }
  }
  std::string fingerprint() const override { return "numbered"; }
  std::string describe(int64_t index) const override { return "n[" + std::to_string(index) + "]"; }

 private:
  Options options_;
};

Choice<Source> numbered(const NumberedOptions& options) {
  registry<Source>().add<Numbered>("numbered", "For tests.");
  return choose<Source>("numbered", options);
}

std::unique_ptr<Source> open(const Choice<Source>& choice) {
  auto source = registry<Source>().make(choice);
  source->open();
  return source;
}

std::vector<int64_t> ids_of(const Choice<Source>& choice) {
  return whole_column(*open(choice), {"test", "id"});
}

std::string fault_of(const Choice<Source>& choice) {
  return message_of<Error>([&] { (void)open(choice); });
}

// All parts together are every sample once.
void expect_whole(std::vector<std::vector<int64_t>> parts, int64_t samples) {
  std::vector<int64_t> all;
  for (const auto& part : parts) all.insert(all.end(), part.begin(), part.end());
  std::sort(all.begin(), all.end());
  ASSERT_EQ(static_cast<int64_t>(all.size()), samples);
  for (int64_t i = 0; i < samples; ++i) ASSERT_EQ(all[static_cast<size_t>(i)], i);
}

sources::SplitOptions drawn_split(Random& random, int64_t samples, int64_t parts) {
  sources::SplitOptions options{.of = numbered({.size = samples}), .shares = {}};
  for (int64_t part = 0; part < parts; ++part)
    options.shares["part" + std::to_string(part)] =
        0.1 + static_cast<double>(random.between(0, 30)) / 10;
  options.seed = random.between(0, 1000);
  return options;
}

std::vector<std::vector<int64_t>> parts_of(sources::SplitOptions options) {
  std::vector<std::vector<int64_t>> parts;
  for (const auto& [name, share] : options.shares) {
    options.part = name;
    parts.push_back(ids_of(sources::split(options)));
  }
  return parts;
}

TEST(Split, CutsAnySourceIntoDisjointPartsOfTheirShares) {
  Random random({.seed = 3});
  for (int round = 0; round < 60; ++round) {
    const int64_t samples = random.between(200, 700);
    const auto options = drawn_split(random, samples, random.between(1, 4));
    const auto parts = parts_of(options);
    expect_whole(parts, samples);
    double sum = 0;
    for (const auto& [name, share] : options.shares) sum += share;
    size_t at = 0;
    for (const auto& [name, share] : options.shares)
      EXPECT_NEAR(static_cast<double>(parts[at++].size()),
                  share / sum * static_cast<double>(samples), 1.01);
  }
}

TEST(Split, StratifiesToWithinOneSampleOfEachClass) {
  Random random({.seed = 4});
  for (int round = 0; round < 40; ++round) {
    const int64_t samples = random.between(200, 700);
    auto options = drawn_split(random, samples, random.between(2, 4));
    options.stratify = "label";
    const auto parts = parts_of(options);
    expect_whole(parts, samples);
    double sum = 0;
    for (const auto& [name, share] : options.shares) sum += share;
    for (int64_t label = 0; label < 3; ++label) {
      double of_class = 0;
      for (int64_t id = 0; id < samples; ++id) of_class += Numbered::label_of(id, 3) == label;
      size_t at = 0;
      for (const auto& [name, share] : options.shares) {
        const auto& part = parts[at++];
        const auto count = std::count_if(part.begin(), part.end(), [&](int64_t id) {
          return Numbered::label_of(id, 3) == label;
        });
        EXPECT_LE(std::abs(static_cast<double>(count) - share / sum * of_class), 1.0);
      }
    }
  }
}

TEST(Split, NeverLetsAGroupLieOnBothSides) {
  Random random({.seed = 5});
  for (int round = 0; round < 40; ++round) {
    const int64_t samples = random.between(200, 700);
    auto options = drawn_split(random, samples, 3);
    options.by = "person";
    const auto parts = parts_of(options);
    expect_whole(parts, samples);
    std::map<int64_t, std::set<size_t>> sides;
    for (size_t part = 0; part < parts.size(); ++part)
      for (const int64_t id : parts[part]) sides[Numbered::person_of(id)].insert(part);
    for (const auto& [person, found] : sides) EXPECT_EQ(found.size(), 1U) << person;
  }
}

TEST(Split, FoldsPartitionAndTrainIsAllThatEvalIsNot) {
  for (const auto& stratify : {std::optional<std::string>(), std::optional<std::string>("label")})
    for (const int64_t samples : {23, 100, 101}) {
      std::vector<std::vector<int64_t>> held_out;
      for (int64_t index = 0; index < 5; ++index) {
        sources::SplitOptions options{.of = numbered({.size = samples}), .stratify = stratify};
        options.fold = {.of = 5, .index = index, .part = "eval"};
        held_out.push_back(ids_of(sources::split(options)));
        EXPECT_NEAR(static_cast<double>(held_out.back().size()), static_cast<double>(samples) / 5,
                    1.0);
        options.fold->part = "train";
        expect_whole({held_out.back(), ids_of(sources::split(options))}, samples);
      }
      expect_whole(held_out, samples);
    }
}

TEST(Split, SeedsGiveOthersAndTheSameSeedTheSame) {
  sources::SplitOptions options{.of = numbered({.size = 100}), .part = "eval"};
  const auto first = ids_of(sources::split(options));
  EXPECT_EQ(first, ids_of(sources::split(options)));
  options.seed = 1;
  EXPECT_NE(first, ids_of(sources::split(options)));
}

TEST(Split, WorksOnHugeSourcesAndSaysWhatDoesNotFit) {
  sources::SplitOptions options{.of = numbered({.size = kHuge}), .part = "eval"};
  const auto huge = open(sources::split(options));
  EXPECT_EQ(huge->size(), kHuge / 5);
  options.fold = {.of = 5, .index = 4, .part = "train"};
  EXPECT_EQ(open(sources::split(options))->size(), kHuge / 5 * 4);
  options.fold = {};
  options.stratify = "label";
  EXPECT_EQ(fault_of(sources::split(options)),
            "split: the source has 1,000,000,000,000 samples, but 100,000,000 is the most whose "
            "'label' it can look at. Take a subset of it.");
  options.of = numbered({.size = 1});
  options.stratify = "lable";
  EXPECT_EQ(fault_of(sources::split(options)),
            "split: the source has no key 'lable'. Did you mean 'label'?");
  options.stratify = {};
  EXPECT_EQ(fault_of(sources::split(options)),
            "split: part 'eval' has none of the 1 samples of 'numbered'. Give it a larger share.");
  options.part = "test";
  EXPECT_EQ(fault_of(sources::split(options)), "'part' must be one of 'shares'.");
}

TEST(Zip, PutsKeysSideBySide) {
  const auto zipped = open(
      sources::zip({.of = {numbered({}), numbered({.first = 100})}, .prefixes = {"", "other_"}}));
  EXPECT_EQ(zipped->keys().size(), 8U);
  EXPECT_EQ(zipped->keys()[4].key, "other_id");
  EXPECT_EQ(whole_column(*zipped, {"test", "id"})[3], 3);
  EXPECT_EQ(whole_column(*zipped, {"test", "other_id"})[3], 103);
  EXPECT_EQ(text_column(*zipped, {"test", "other_name"})[3], "n103");
}

TEST(Zip, NamesClashesAndLengths) {
  EXPECT_EQ(fault_of(sources::zip({.of = {numbered({}), numbered({})}})),
            "zip: both 'numbered' and 'numbered' yield the key 'id'. Give one of them a prefix.");
  EXPECT_EQ(fault_of(sources::zip({.of = {numbered({}), numbered({.size = 9})}})),
            "zip: its sources must have equally many samples, but 'numbered' has 10, and "
            "'numbered' has 9. Use subset or join.");
}

TEST(Repeat, GoesThroughTheSourceAgain) {
  EXPECT_EQ(ids_of(sources::repeat({.of = numbered({.size = 2}), .times = 2})),
            (std::vector<int64_t>{0, 1, 0, 1}));
  EXPECT_EQ(open(sources::repeat({.of = numbered({.size = kHuge}), .times = 1000}))->size(),
            kHuge * 1000);
  EXPECT_EQ(fault_of(sources::repeat({.of = numbered({.size = kHuge}), .times = 2'000'000'000})),
            "repeat: 2,000,000,000 times the 1,000,000,000,000 samples of 'numbered' are more than "
            "64 bits can count. Repeat it less often.");
}

TEST(Shard, PartsAreDisjointAndDifferByAtMostOne) {
  for (const std::string take : {"every", "stretch"})
    for (const int64_t samples : {7, 12, 100}) {
      std::vector<std::vector<int64_t>> parts;
      for (int64_t index = 0; index < 5; ++index)
        parts.push_back(ids_of(sources::shard(
            {.of = numbered({.size = samples}), .index = index, .count = 5, .take = take})));
      expect_whole(parts, samples);
      EXPECT_LE(parts.front().size() - parts.back().size(), 1U);
    }
  EXPECT_EQ(fault_of(sources::shard({.of = numbered({.size = 3}), .index = 4, .count = 5})),
            "shard: the 3 samples of 'numbered' do not reach shard 4 of 5. Use fewer shards.");
}

std::map<int64_t, int64_t> counts_of(const sources::BalancedOptions& options) {
  std::map<int64_t, int64_t> counts;
  for (const int64_t id : ids_of(sources::balanced(options))) ++counts[Numbered::label_of(id, 3)];
  return counts;
}

TEST(Balanced, CountsOfClassesDifferByAtMostOne) {
  for (int64_t size = 1; size < 50; ++size) {
    const auto counts = counts_of({.of = numbered({.size = 300}), .size = size});
    if (size < 3) continue;
    EXPECT_LE(std::abs(counts.at(0) - counts.at(2)), 1);
    EXPECT_LE(std::abs(counts.at(1) - counts.at(2)), 1);
  }
}

TEST(Balanced, GivesEverySampleAtLeastOnceWithoutASize) {
  const auto ids = ids_of(sources::balanced({.of = numbered({.size = 300})}));
  EXPECT_EQ(std::set<int64_t>(ids.begin(), ids.end()).size(), 300U);
  const auto counts = counts_of({.of = numbered({.size = 300})});
  EXPECT_LE(std::abs(counts.at(1) - counts.at(0)), 1);
}

TEST(Balanced, TakesClassesByTheirWeights) {
  const auto counts = counts_of({.of = numbered({.size = 300}), .weights = {3, 1, 0}, .size = 400});
  EXPECT_EQ(counts.at(0), 300);
  EXPECT_EQ(counts.at(1), 100);
  EXPECT_EQ(counts.count(2), 0U);
}

TEST(Combining, CountsTheTablesOfItsSamples) {
  const auto balanced = open(sources::balanced({.of = numbered({.size = 300}), .size = 400}));
  EXPECT_GE(balanced->resident_bytes(), 400 * sizeof(int64_t));
  const auto joined = open(sources::join({.left = numbered({.size = 50}),
                                          .right = numbered({.size = 100}),
                                          .on = "id",
                                          .prefix = "right_"}));
  EXPECT_GE(joined->resident_bytes(), 50 * 2 * sizeof(int64_t));
}

TEST(Join, AddsTheFieldsOfTheSameKey) {
  const auto joined = open(sources::join({.left = numbered({.size = 6, .first = 2}),
                                          .right = numbered({.size = 100}),
                                          .on = "id",
                                          .prefix = "right_"}));
  EXPECT_EQ(joined->keys().size(), 7U);
  EXPECT_EQ(joined->keys()[4].key, "right_label");
  EXPECT_EQ(text_column(*joined, {"test", "right_name"})[1], "n3");
  EXPECT_EQ(whole_column(*joined, {"test", "right_person"})[1], 1000);
}

TEST(Join, MatchesTextsAndDropsOrNamesWhatIsMissing) {
  sources::JoinOptions options{.left = numbered({.size = 6, .first = 2}),
                               .right = numbered({.size = 4}),
                               .on = "name",
                               .prefix = "right_",
                               .missing = "drop"};
  std::string noted;
  {
    const ListenToWork listen({.on_note = [&](const std::string& text) { noted += text; }});
    EXPECT_EQ(ids_of(sources::join(options)), (std::vector<int64_t>{2, 3}));
  }
  EXPECT_EQ(noted, "join drops 4 of 6 samples of left, whose 'name' is not in right.");
  options.missing = "error";
  EXPECT_EQ(fault_of(sources::join(options)),
            "join: right has no sample with name 'n4', which n[2] of left has. Add it, or leave "
            "such samples out with missing: drop.");
  options.on = "label";
  EXPECT_EQ(fault_of(sources::join(options)),
            "join: label 0 stands twice in right: n[0] and n[1]. It must be unique there.");
}

TEST(Combined, SourcesHaveOtherFingerprintsForOtherOptions) {
  const Choice<Source> of = numbered({});
  std::set<std::string> prints;
  const std::vector<Choice<Source>> all = {
      of,
      sources::split({.of = of}),
      sources::split({.of = of, .part = "eval"}),
      sources::split({.of = of, .seed = 1}),
      sources::split({.of = of, .stratify = "label"}),
      sources::split({.of = of, .by = "person"}),
      sources::repeat({.of = of}),
      sources::shard({.of = of, .count = 2}),
      sources::shard({.of = of, .index = 1, .count = 2}),
      sources::balanced({.of = of}),
      sources::balanced({.of = of, .weights = {1, 2, 1}}),
      sources::zip({.of = {of}}),
      sources::zip({.of = {of}, .prefixes = {"x"}}),
      sources::join({.left = of, .right = of, .on = "id", .prefix = "x"})};
  for (const Choice<Source>& choice : all) prints.insert(open(choice)->fingerprint());
  EXPECT_EQ(prints.size(), all.size());
}

}  // namespace
}  // namespace hearth
