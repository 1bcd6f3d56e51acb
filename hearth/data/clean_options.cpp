// Steps that clean data, as options.
#include "hearth/data/clean_options.h"

#include <algorithm>
#include <array>

namespace hearth {

namespace {

constexpr const char* kSetsHelp = "The sets it is done to, such as train; left out: all.";

int steps_in(const CleanStep& step) {
  return step.drop_corrupt.has_value() + step.drop_missing.has_value() +
         step.drop_duplicates.has_value() + step.clamp.has_value() + step.balance.has_value() +
         step.split.has_value();
}

bool are_set_names(const SplitStep& step) {
  constexpr std::array kNames = {"train", "eval", "test"};
  return std::all_of(step.shares.begin(), step.shares.end(), [&](const auto& share) {
    return std::find(kNames.begin(), kNames.end(), share.first) != kNames.end();
  });
}

}  // namespace

const Schema<DropCorruptStep>& DropCorruptStep::schema() {
  using O = DropCorruptStep;
  static const auto schema = Schema<O>().field(&O::sets, "sets", kSetsHelp);
  return schema;
}

const Schema<DropMissingStep>& DropMissingStep::schema() {
  using O = DropMissingStep;
  static const auto schema =
      Schema<O>()
          .field(&O::keys, "keys",
                 "The keys that must hold no NaN; left out: all that hold float32 or float64.")
          .field(&O::sets, "sets", kSetsHelp);
  return schema;
}

const Schema<DropDuplicatesStep>& DropDuplicatesStep::schema() {
  using O = DropDuplicatesStep;
  static const auto schema =
      Schema<O>()
          .field(&O::keys, "keys",
                 "The keys by which samples are equal, bit for bit; left out: all but classes.")
          .field(&O::across, "across",
                 "Also drops from eval what is in test, and from train what is in either.")
          .field(&O::near, "near",
                 "Also drops pictures that look like an earlier one: scaled, compressed or "
                 "brightened. Of 64 places where a picture may get brighter, three may differ. "
                 "Pictures below 32 x 32 points are never taken for similar.")
          .field(&O::sets, "sets", kSetsHelp);
  return schema;
}

const Schema<ClampStep>& ClampStep::schema() {
  using O = ClampStep;
  static const auto schema =
      Schema<O>()
          .field(&O::key, "key", "The key whose numbers are limited.", required(), not_empty())
          .field(&O::low, "low", "What lies below becomes this; left out: nothing does.")
          .field(&O::high, "high", "What lies above becomes this; left out: nothing does.")
          .field(&O::sets, "sets", kSetsHelp);
  return schema;
}

const Schema<BalanceStep>& BalanceStep::schema() {
  using O = BalanceStep;
  static const auto schema =
      Schema<O>()
          .field(&O::key, "key", "The key that holds a sample's class.", not_empty())
          .field(&O::how, "how",
                 "Drops samples of frequent classes, or repeats those of rare ones, until all are "
                 "equally many.",
                 one_of({"drop", "repeat"}))
          .field(&O::seed, "seed", "Another seed drops or repeats others.", at_least(0),
                 of_64_bits())
          .field(&O::sets, "sets", "The sets it is done to.");
  return schema;
}

const Schema<SplitStep>& SplitStep::schema() {
  using O = SplitStep;
  static const auto schema =
      Schema<O>()
          .field(&O::shares, "shares",
                 "What becomes of the samples of train: how many are train, eval and test, in any "
                 "unit.",
                 above(0), at_most(1e9), not_empty())
          .field(&O::stratify, "stratify",
                 "A key, such as the class, of whose every value each part has its share.",
                 not_empty())
          .field(&O::by, "by",
                 "A key, such as the person, whose equal values all lie in the same part.",
                 not_empty())
          .field(&O::seed, "seed", "Another seed draws other parts.", at_least(0), of_64_bits())
          .check("'shares' can only name train, eval and test.", are_set_names)
          .check("'stratify' and 'by' cannot both be given.",
                 [](const O& options) { return !options.stratify || !options.by; });
  return schema;
}

const Schema<CleanStep>& CleanStep::schema() {
  using O = CleanStep;
  static const auto schema =
      Schema<O>()
          .field(&O::drop_corrupt, "drop_corrupt",
                 "Drops samples that cannot be read, and pictures that cannot be decoded.")
          .field(&O::drop_missing, "drop_missing", "Drops samples with numbers that are NaN.")
          .field(&O::drop_duplicates, "drop_duplicates",
                 "Drops samples that are equal to an earlier one.")
          .field(&O::clamp, "clamp", "Limits numbers.")
          .field(&O::balance, "balance", "Makes classes equally many.")
          .field(&O::split, "split", "Splits train into parts.")
          .check(
              "each step must be one of drop_corrupt, drop_missing, drop_duplicates, clamp, "
              "balance, split.",
              [](const O& step) { return steps_in(step) == 1; });
  return schema;
}

const Schema<CleanOptions>& CleanOptions::schema() {
  using O = CleanOptions;
  static const auto schema =
      Schema<O>().field(&O::steps, "steps", "What is done, one after the other.");
  return schema;
}

}  // namespace hearth
