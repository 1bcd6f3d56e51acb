// Cleans sets of samples step by step.
#include "hearth/data/cleaner.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/config/yaml.h"
#include "hearth/core/random.h"
#include "hearth/data/class_members.h"
#include "hearth/data/corrupt_samples.h"
#include "hearth/data/partition.h"
#include "hearth/data/sample_print.h"
#include "hearth/data/sample_reader.h"
#include "hearth/data/similar_pictures.h"
#include "hearth/data/source_list.h"
#include "hearth/data/sources/clamp.h"

namespace hearth {

namespace {

constexpr size_t kMostExamples = 20;
struct SamplePrint {
  ExactPrint exact = {};
  std::optional<uint64_t> picture = {};
};

bool is_done_to(const std::vector<std::string>& sets, const std::string& name) {
  return sets.empty() || std::find(sets.begin(), sets.end(), name) != sets.end();
}

std::vector<size_t> places_of(const CleanSet& set, const std::string& step,
                              const std::vector<std::string>& wanted,
                              bool (*is_wanted)(const Spec&)) {
  const std::vector<KeySpec> keys = set.source->keys();
  std::vector<size_t> places;
  for (const std::string& key : wanted) (void)column_spec(*set.source, {step, key});
  for (size_t k = 0; k < keys.size(); ++k)
    if (wanted.empty() ? is_wanted(keys[k].spec)
                       : std::find(wanted.begin(), wanted.end(), keys[k].key) != wanted.end())
      places.push_back(k);
  if (places.empty())
    throw DataError(step + ": " + set.name + " yields no key that it could look at.");
  return places;
}

// A value for each sample that is left, made of its keys.
template <class Value, class Make>
std::vector<Value> values_of_samples(const CleanSet& set, const std::string& step,
                                     const std::vector<size_t>& places, const Make& make) {
  std::vector<Value> values(set.samples.size());
  for_each_stretch(static_cast<int64_t>(values.size()), [&](int64_t begin, int64_t end) {
    SampleReader reader(*set.source, places);
    for (int64_t i = begin; i < end; ++i) {
      const int64_t sample = set.samples[static_cast<size_t>(i)];
      try {
        values[static_cast<size_t>(i)] = make(reader.read(sample));
      } catch (const std::exception& error) {
        throw DataError(step + ": " + set.source->describe(sample) + ": " + error.what() +
                        " Put drop_corrupt before it.");
      }
    }
  });
  return values;
}

bool holds_floats(const Spec& spec) {
  return spec.dtype == DType::kFloat32 || spec.dtype == DType::kFloat64;
}

template <class Number>
bool has_nan(std::span<const Number> values) {
  return std::any_of(values.begin(), values.end(), [](Number value) { return std::isnan(value); });
}

uint8_t holds_nan(std::span<const View> values) {
  for (const View& view : values)
    if (view.spec->dtype == DType::kFloat32 ? has_nan<float>(view.as<float>())
                                            : has_nan<double>(view.as<double>()))
      return 1;
  return 0;
}

SamplePrint print_of(std::span<const View> values) { return {exact_print(values), {}}; }

// Also of the first picture among them.
SamplePrint print_with_picture(std::span<const View> values) {
  SamplePrint print = print_of(values);
  for (const View& view : values)
    if (!print.picture) print.picture = picture_print(view);
  return print;
}

// What was kept, by which later samples are equal or similar.
class KeptSamples {
 public:
  void clear() { *this = {}; }
  // Why a sample is one of them; else it is kept, and the reason empty.
  std::string reason_or_add(const SamplePrint& print, const CleanSet& set, int64_t sample) {
    const auto [found, is_new] = by_print_.try_emplace(print.exact, kept_.size());
    if (!is_new) return "equal to " + name(found->second);
    if (const auto similar = print.picture ? pictures_.find(*print.picture) : std::nullopt) {
      found->second = *similar;
      return "similar to " + name(*similar);
    }
    if (print.picture) pictures_.add(*print.picture, kept_.size());
    kept_.emplace_back(&set, sample);
    return {};
  }

 private:
  [[nodiscard]] std::string name(size_t kept) const {
    return kept_[kept].first->name + " " + kept_[kept].first->source->describe(kept_[kept].second);
  }

  std::map<ExactPrint, size_t> by_print_;
  SimilarPictures pictures_;
  std::vector<std::pair<const CleanSet*, int64_t>> kept_;
};

class Cleaner {
 public:
  explicit Cleaner(std::vector<CleanSet> sets) {
    done_.sets = std::move(sets);
    for (CleanSet& set : done_.sets) {
      open(set);
      if (set.source->size() > kMostColumnSamples)
        throw DataError("clean: " + set.name + " has " +
                        human_count(static_cast<uint64_t>(set.source->size())) + " samples, but " +
                        human_count(kMostColumnSamples) +
                        " is the most it can list. Take a subset of it.");
      set.samples.resize(static_cast<size_t>(set.source->size()));
      std::iota(set.samples.begin(), set.samples.end(), int64_t{0});
    }
  }

  void run(const CleanStep& step) {
    if (step.drop_corrupt) run_step("drop_corrupt", *step.drop_corrupt);
    if (step.drop_missing) run_step("drop_missing", *step.drop_missing);
    if (step.drop_duplicates) run_step("drop_duplicates", *step.drop_duplicates);
    if (step.clamp) run_step("clamp", *step.clamp);
    if (step.balance) run_step("balance", *step.balance);
    if (step.split) run_step("split", *step.split);
  }

  Cleaned finish() { return std::move(done_); }

 private:
  static void open(CleanSet& set) { set.source = open_choice(set.choice); }

  template <class Step>
  void run_step(const std::string& name, const Step& step) {
    step_ = name;
    done_.records.push_back({name, to_yaml_line(Step::schema().write(step)), {}});
    if constexpr (requires { step.sets; }) check_sets(step.sets);
    take(step);
    for (const CleanSet& set : done_.sets)
      if (set.samples.empty()) throw DataError(step_ + ": leaves nothing of " + set.name + ".");
  }

  void check_sets(const std::vector<std::string>& sets) const {
    std::vector<std::string> known;
    for (const CleanSet& set : done_.sets) known.push_back(set.name);
    for (const std::string& name : sets)
      if (std::find(known.begin(), known.end(), name) == known.end())
        throw DataError(step_ + ": there is no set " + quote(name) + "." +
                        did_you_mean(name, known));
  }

  CleanChange& change(const CleanSet& set) {
    auto& changes = done_.records.back().changes;
    const auto count = static_cast<int64_t>(set.samples.size());
    changes.push_back({set.name, count, count, {}});
    return changes.back();
  }

  // Drops what has a reason to go.
  void drop(CleanSet& set, const std::map<size_t, std::string>& reasons) {
    CleanChange& noted = change(set);
    std::vector<int64_t> kept;
    for (size_t i = 0; i < set.samples.size(); ++i) {
      const auto reason = reasons.find(i);
      if (reason == reasons.end())
        kept.push_back(set.samples[i]);
      else if (noted.examples.size() < kMostExamples)
        noted.examples.push_back(set.source->describe(set.samples[i]) + ": " + reason->second);
    }
    set.samples = std::move(kept);
    noted.after = static_cast<int64_t>(set.samples.size());
  }

  void take(const DropCorruptStep& step) {
    for (CleanSet& set : done_.sets)
      if (is_done_to(step.sets, set.name)) drop(set, corrupt_samples(*set.source, set.samples));
  }

  void take(const DropMissingStep& step) {
    for (CleanSet& set : done_.sets) {
      if (!is_done_to(step.sets, set.name)) continue;
      const auto places = places_of(set, step_, step.keys, holds_floats);
      for (const size_t place : places)
        if (const KeySpec key = set.source->keys()[place]; !holds_floats(key.spec))
          throw DataError(step_ + ": key " + quote(key.key) + " is " + key.spec.text() +
                          ", which is never NaN.");
      const auto missing = values_of_samples<uint8_t>(set, step_, places, holds_nan);
      std::map<size_t, std::string> reasons;
      for (size_t i = 0; i < missing.size(); ++i)
        if (missing[i] != 0) reasons[i] = "holds NaN";
      drop(set, reasons);
    }
  }

  // The sets that are kept as they are come first: a test sample is worth more than one to train.
  void take(const DropDuplicatesStep& step) {
    KeptSamples kept;
    for (const std::string first : {"test", "eval", "train"})
      for (CleanSet& set : done_.sets) {
        if (!set.name.starts_with(first) || !is_done_to(step.sets, set.name)) continue;
        if (!step.across) kept.clear();
        const auto places = places_of(set, step_, step.keys,
                                      [](const Spec& spec) { return spec.role != Role::kClass; });
        const auto prints = values_of_samples<SamplePrint>(
            set, step_, places, step.near ? print_with_picture : print_of);
        std::map<size_t, std::string> reasons;
        for (size_t i = 0; i < prints.size(); ++i) {
          std::string reason = kept.reason_or_add(prints[i], set, set.samples[i]);
          if (!reason.empty()) reasons[i] = std::move(reason);
        }
        drop(set, reasons);
      }
  }

  void take(const ClampStep& step) {
    for (CleanSet& set : done_.sets) {
      if (!is_done_to(step.sets, set.name)) continue;
      set.choice =
          sources::clamp({.of = set.choice, .key = step.key, .low = step.low, .high = step.high});
      open(set);
      (void)change(set);
    }
  }

  void take(const BalanceStep& step) {
    for (CleanSet& set : done_.sets) {
      if (!is_done_to(step.sets, set.name)) continue;
      const std::vector<int64_t> labels = class_column(*set.source, {step_, step.key});
      std::vector<int64_t> of_samples;
      for (const int64_t sample : set.samples)
        of_samples.push_back(labels[static_cast<size_t>(sample)]);
      auto members = group_members(of_samples, column_spec(*set.source, {step_, step.key}).classes);
      std::erase_if(members, [](const auto& of_class) { return of_class.empty(); });
      CleanChange& noted = change(set);
      set.samples = balanced_samples(set.samples, members, step);
      noted.after = static_cast<int64_t>(set.samples.size());
      repeats_ |= step.how == "repeat";
    }
  }

  static std::vector<int64_t> balanced_samples(const std::vector<int64_t>& samples,
                                               const std::vector<std::vector<int64_t>>& members,
                                               const BalanceStep& step) {
    size_t wanted = members.at(0).size();
    for (const auto& of_class : members)
      wanted = step.how == "drop" ? std::min(wanted, of_class.size())
                                  : std::max(wanted, of_class.size());
    std::vector<int64_t> places;
    for (size_t label = 0; label < members.size(); ++label) {
      const size_t count = members[label].size();
      for (size_t i = 0; i < wanted; ++i) {
        const Permutation order(count, static_cast<uint64_t>(step.seed) + label, i / count);
        places.push_back(members[label][order.at(i % count)]);
      }
    }
    std::sort(places.begin(), places.end());
    for (int64_t& place : places) place = samples[static_cast<size_t>(place)];
    return places;
  }

  void take(const SplitStep& step) {
    const auto train = std::find_if(done_.sets.begin(), done_.sets.end(),
                                    [](const CleanSet& set) { return set.name == "train"; });
    if (train == done_.sets.end()) throw DataError("split: there is no set 'train' to split.");
    if (repeats_)
      throw DataError(
          "split: put it before the balance that repeats samples, so that none lies "
          "in two parts.");
    const CleanSet whole = *train;
    done_.sets.erase(train);
    for (const CleanSet& set : done_.sets)
      for (const auto& [name, share] : step.shares)
        if (set.name.starts_with(name))
          throw DataError("split: there is a set " + quote(set.name) +
                          " already. Split into others, or leave it out of data.");
    const std::vector<uint32_t> part_of = parts_of(whole, step);
    uint32_t part = 0;
    for (const auto& [name, share] : step.shares) {
      CleanSet set{name, whole.choice, whole.source, {}};
      for (size_t i = 0; i < part_of.size(); ++i)
        if (part_of[i] == part) set.samples.push_back(whole.samples[i]);
      change(set).before = static_cast<int64_t>(whole.samples.size());
      done_.sets.push_back(std::move(set));
      ++part;
    }
  }

  [[nodiscard]] std::vector<uint32_t> parts_of(const CleanSet& set, const SplitStep& step) const {
    std::vector<double> shares;
    for (const auto& [name, share] : step.shares) shares.push_back(share);
    shares = shares_of_one(shares);
    std::vector<int64_t> groups(set.samples.size());
    int64_t count = 1;
    if (step.stratify || step.by) {
      const GroupColumn column =
          group_column(*set.source, {step_, step.by ? *step.by : *step.stratify});
      for (size_t i = 0; i < groups.size(); ++i)
        groups[i] = column.group_of[static_cast<size_t>(set.samples[i])];
      count = column.groups;
    }
    const PartitionRequest request{groups, count, shares, static_cast<uint64_t>(step.seed)};
    return step.by ? parts_of_whole_groups(request) : parts_of_each_group(request);
  }

  Cleaned done_;
  std::string step_;
  bool repeats_ = false;
};

}  // namespace

Cleaned clean(std::vector<CleanSet> sets, const CleanOptions& options) {
  Cleaner cleaner(std::move(sets));
  for (const CleanStep& step : options.steps) cleaner.run(step);
  return cleaner.finish();
}

}  // namespace hearth
