// The samples of one source with the fields of the sample of another that has the same key.
#include "hearth/data/sources/join.h"

#include <unordered_map>

#include "hearth/base/error.h"
#include "hearth/base/long_work.h"
#include "hearth/base/text.h"
#include "hearth/config/registry.h"
#include "hearth/data/column.h"
#include "hearth/data/side_by_side.h"
#include "hearth/data/source_list.h"

namespace hearth::sources {

namespace {

std::string join_key_text(const std::string& key) { return quote(key); }
std::string join_key_text(int64_t key) { return std::to_string(key); }

class Join : public Source {
 public:
  using Options = JoinOptions;
  explicit Join(Options options) : options_(std::move(options)) {}

  void open() override {
    auto left = open_choice(*options_.left);
    auto right = open_choice(*options_.right);
    const bool is_text = is_text_column(*left, asked_of("left"));
    if (is_text != is_text_column(*right, asked_of("right")))
      throw DataError("join: key " + quote(options_.on) + " is " +
                      column_spec(*left, asked_of("left")).text() + " in left, but " +
                      column_spec(*right, asked_of("right")).text() +
                      " in right; both must be whole numbers, or both texts.");
    is_text ? match(*left, *right, text_column) : match(*left, *right, whole_column);
    sources_.add(std::move(left), "left", "");
    sources_.add(std::move(right), "right", options_.prefix, options_.on);
  }

  std::vector<KeySpec> keys() const override { return sources_.keys(); }
  int64_t size() const override { return static_cast<int64_t>(pairs_.size()); }
  void read(int64_t index, std::span<const Cell> cells) const override {
    const Pair& pair = pairs_[static_cast<size_t>(index)];
    sources_.read(0, pair.left, cells);
    sources_.read(1, pair.right, cells);
  }
  uint64_t resident_bytes() const override {
    return sources_.resident_bytes() + pairs_.capacity() * sizeof(Pair);
  }
  std::string fingerprint() const override {
    return "join:" + options_.on + ":" + std::to_string(size()) + ":" + sources_.fingerprint();
  }
  std::string describe(int64_t index) const override {
    return sources_[0].describe(pairs_[static_cast<size_t>(index)].left);
  }

 private:
  struct Pair {
    int64_t left = 0;
    int64_t right = 0;
  };

  [[nodiscard]] ColumnKey asked_of(const std::string& side) const {
    return {"join: " + side, options_.on};
  }

  template <class Column>
  void match(const Source& left, const Source& right, const Column& column) {
    const auto right_keys = column(right, asked_of("right"));
    std::unordered_map<typename std::decay_t<decltype(right_keys)>::value_type, int64_t> places;
    places.reserve(right_keys.size());
    for (size_t i = 0; i < right_keys.size(); ++i) {
      const auto [found, is_new] = places.emplace(right_keys[i], static_cast<int64_t>(i));
      if (!is_new)
        throw DataError("join: " + options_.on + " " + join_key_text(right_keys[i]) +
                        " stands twice in right: " + right.describe(found->second) + " and " +
                        right.describe(static_cast<int64_t>(i)) + ". It must be unique there.");
    }
    const auto left_keys = column(left, asked_of("left"));
    for (size_t i = 0; i < left_keys.size(); ++i) {
      const auto found = places.find(left_keys[i]);
      if (found != places.end())
        pairs_.push_back({static_cast<int64_t>(i), found->second});
      else if (options_.missing == "error")
        throw DataError("join: right has no sample with " + options_.on + " " +
                        join_key_text(left_keys[i]) + ", which " +
                        left.describe(static_cast<int64_t>(i)) +
                        " of left has. Add it, or leave such samples out with missing: drop.");
    }
    const size_t dropped = left_keys.size() - pairs_.size();
    if (!pairs_.empty() && dropped > 0)
      tell_work_note("join drops " + human_count(dropped) + " of " + human_count(left_keys.size()) +
                     " samples of left, whose " + quote(options_.on) + " is not in right.");
    if (pairs_.empty())
      throw DataError("join: none of the " + std::to_string(left_keys.size()) +
                      " samples of left has a " + quote(options_.on) + " that is in right.");
  }

  Options options_;
  SideBySide sources_{"join"};
  std::vector<Pair> pairs_;
};

}  // namespace

const Schema<JoinOptions>& JoinOptions::schema() {
  using O = JoinOptions;
  static const auto schema =
      Schema<O>()
          .field(&O::left, "left", "The source whose samples there are.", required())
          .field(&O::right, "right", "The source whose fields are added to them.", required())
          .field(&O::on, "on",
                 "The key that both have, a whole number or a text; in right no value comes twice.",
                 required(), not_empty())
          .field(&O::prefix, "prefix", "What goes before the keys of right.")
          .field(&O::missing, "missing",
                 "What becomes of a sample whose key is not in right: an error, or it is dropped.",
                 one_of({"error", "drop"}));
  return schema;
}

Choice<Source> join(const JoinOptions& options) { return choose<Source>("join", options); }

void register_join(Registry<Source>& registry) {
  registry.add<Join>("join", "One source with the fields that another has for the same key.");
}

}  // namespace hearth::sources
