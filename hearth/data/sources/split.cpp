// A part of a source, drawn by a seed. Which part a sample is in does not hang on which part is
// asked for: equal options give parts that are disjoint and together the whole.
#include "hearth/data/sources/split.h"

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/config/registry.h"
#include "hearth/core/random.h"
#include "hearth/data/column.h"
#include "hearth/data/partition.h"
#include "hearth/data/source_list.h"

namespace hearth::sources {

namespace {

// The parts that a source is cut into, and the one that is taken, or all but it.
struct AskedPart {
  std::vector<double> shares;
  size_t part = 0;
  bool is_all_but = false;
  std::string text;  // for messages: "part 'eval'"
};

AskedPart asked_part(const SplitOptions& options) {
  if (options.fold)
    return {std::vector<double>(static_cast<size_t>(options.fold->of), 1.0),
            static_cast<size_t>(options.fold->index), options.fold->part == "train",
            "fold " + std::to_string(options.fold->index) + " of " +
                std::to_string(options.fold->of) + ", part " + quote(options.fold->part)};
  AskedPart asked;
  asked.text = "part " + quote(options.part);
  for (const auto& [name, share] : options.shares) {
    if (name == options.part) asked.part = asked.shares.size();
    asked.shares.push_back(share);
  }
  return asked;
}

class Split : public Source {
 public:
  using Options = SplitOptions;
  explicit Split(Options options) : options_(std::move(options)) {}

  void open() override {
    source_ = open_choice(*options_.of);
    AskedPart asked = asked_part(options_);
    asked.shares = shares_of_one(asked.shares);
    has_table_ = options_.stratify || options_.by;
    if (has_table_)
      list_samples(asked);
    else
      cut(asked);
    if (size() == 0)
      throw DataError("split: " + asked.text + " has none of the " +
                      human_count(static_cast<uint64_t>(source_->size())) + " samples of " +
                      quote(options_.of->name()) + ". Give it a larger share.");
  }

  std::vector<KeySpec> keys() const override { return source_->keys(); }
  int64_t size() const override { return has_table_ ? static_cast<int64_t>(table_.size()) : size_; }
  void read(int64_t index, std::span<const Cell> cells) const override {
    source_->read(sample_at(index), cells);
  }
  uint64_t resident_bytes() const override {
    return source_->resident_bytes() + table_.capacity() * sizeof(int64_t);
  }
  std::string fingerprint() const override {
    const AskedPart asked = asked_part(options_);
    std::string text = "split:" + std::to_string(options_.seed) + ":" +
                       options_.stratify.value_or("") + ":" + options_.by.value_or("") + ":" +
                       std::to_string(asked.part) + ":" + std::to_string(asked.is_all_but);
    for (const double share : asked.shares) text += ":" + shortest_number(share);
    return text + ":" + source_->fingerprint();
  }
  std::string describe(int64_t index) const override { return source_->describe(sample_at(index)); }

 private:
  // A stretch of a keyed permutation, or all but one: nothing is held in memory.
  void cut(const AskedPart& asked) {
    const std::vector<int64_t> ends = part_ends(asked.shares, source_->size());
    const int64_t begin = asked.part == 0 ? 0 : ends[asked.part - 1];
    const int64_t length = ends[asked.part] - begin;
    order_ = Permutation(static_cast<uint64_t>(source_->size()),
                         static_cast<uint64_t>(options_.seed), 0);
    first_ = asked.is_all_but ? 0 : begin;
    gap_at_ = asked.is_all_but ? begin : source_->size();
    gap_ = asked.is_all_but ? length : 0;
    size_ = asked.is_all_but ? source_->size() - length : length;
  }

  // Samples of the part, in the source's order.
  void list_samples(const AskedPart& asked) {
    const GroupColumn column = options_.by ? group_column(*source_, {"split", *options_.by})
                                           : group_column(*source_, {"split", *options_.stratify});
    const PartitionRequest request{column.group_of, column.groups, asked.shares,
                                   static_cast<uint64_t>(options_.seed)};
    const std::vector<uint32_t> part_of =
        options_.by ? parts_of_whole_groups(request) : parts_of_each_group(request);
    for (size_t i = 0; i < part_of.size(); ++i)
      if ((part_of[i] == asked.part) != asked.is_all_but) table_.push_back(static_cast<int64_t>(i));
    table_.shrink_to_fit();
  }

  [[nodiscard]] int64_t sample_at(int64_t index) const {
    if (has_table_) return table_[static_cast<size_t>(index)];
    const int64_t position = first_ + index;
    return static_cast<int64_t>(
        order_.at(static_cast<uint64_t>(position < gap_at_ ? position : position + gap_)));
  }

  Options options_;
  std::unique_ptr<Source> source_;
  bool has_table_ = false;
  std::vector<int64_t> table_;
  Permutation order_{0, 0, 0};
  int64_t first_ = 0;
  int64_t gap_at_ = 0;
  int64_t gap_ = 0;
  int64_t size_ = 0;
};

}  // namespace

const Schema<FoldOptions>& FoldOptions::schema() {
  using O = FoldOptions;
  static const auto schema =
      Schema<O>()
          .field(&O::of, "of", "How many folds there are.", at_least(2), at_most(100000))
          .field(&O::index, "index", "Which fold is held out: 0 is the first.", at_least(0))
          .field(&O::part, "part", "The fold that is held out (eval), or all others (train).",
                 one_of({"train", "eval"}))
          .check("'index' must be below 'of'.",
                 [](const O& options) { return options.index < options.of; });
  return schema;
}

const Schema<SplitOptions>& SplitOptions::schema() {
  using O = SplitOptions;
  static const auto schema =
      Schema<O>()
          .field(&O::of, "of", "The source.", required())
          .field(&O::shares, "shares", "The parts by name, with how much each has, in any unit.",
                 above(0), at_most(1e9), not_empty())
          .field(&O::part, "part", "Which of the parts this is.", not_empty())
          .field(&O::fold, "fold",
                 "One of several folds, in the place of shares and part: for cross-validation.")
          .field(&O::stratify, "stratify",
                 "A key, such as the class, of whose every value each part has its share.",
                 not_empty())
          .field(&O::by, "by",
                 "A key, such as the person, whose equal values all lie in the same part.",
                 not_empty())
          .field(&O::seed, "seed", "Another seed draws other parts.", at_least(0), of_64_bits())
          .check("'part' must be one of 'shares'.",
                 [](const O& options) {
                   return options.fold || options.shares.contains(options.part);
                 })
          .check("'stratify' and 'by' cannot both be given.",
                 [](const O& options) { return !options.stratify || !options.by; });
  return schema;
}

Choice<Source> split(const SplitOptions& options) { return choose<Source>("split", options); }

void register_split(Registry<Source>& registry) {
  registry.add<Split>(
      "split", "A part of a source, drawn by a seed: by shares or folds, by class or group.");
}

}  // namespace hearth::sources
