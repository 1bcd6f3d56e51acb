// Walks a folder by patterns over paths and by tables beside it.
#include "hearth/data/crawler.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <unordered_map>

#include "hearth/base/error.h"
#include "hearth/base/files.h"
#include "hearth/base/text.h"
#include "hearth/data/path_pattern.h"
#include "hearth/data/sample_file.h"
#include "hearth/data/side_table.h"

namespace hearth {

namespace {

using sources::CrawlOptions;
using sources::CrawlValues;
using sources::SideFileOptions;

constexpr size_t kMostSplits = 64;
constexpr size_t kMostFiles = 100'000'000;

// The classes of one annotation, numbered as they come.
struct CrawledClasses {
  std::vector<std::string> names;
  std::unordered_map<std::string, uint32_t> numbers;
  bool is_int = false;

  uint32_t number(const std::string& name) {
    const auto [found, is_new] = numbers.try_emplace(name, static_cast<uint32_t>(names.size()));
    if (is_new) names.push_back(name);
    return found->second;
  }
};

// 007 and 7 are one number.
std::string without_zeros(std::string_view digits) {
  const size_t first = std::min(digits.find_first_not_of('0'), digits.size() - 1);
  return std::string(digits.substr(first));
}

bool comes_before(const std::string& left, const std::string& right, bool is_int) {
  if (is_int && left.size() != right.size()) return left.size() < right.size();
  return left < right;
}

class Crawler {
 public:
  explicit Crawler(const CrawlOptions& options) : options_(options) {
    for (const std::string& pattern : options.patterns) patterns_.emplace_back(pattern);
    if (patterns_.empty()) throw ConfigError("crawl: needs a pattern.");
    for (const PathPattern::Field& field : patterns_[0].fields())
      add_annotation(field.name, "the pattern", field.is_int);
    check_fields();
    for (const SideFileOptions& side : options.side_files) add_side_file(side);
    check_names();
    name_splits();
  }

  Crawled crawl() {
    require_folder(options_.folder);
    walk(options_.folder, "");
    sort_classes();
    found_.annotations = annotations_;
    for (CrawledClasses& table : classes_) found_.names.push_back(std::move(table.names));
    return std::move(found_);
  }

 private:
  struct SideFile {
    SideFileOptions options;
    SideTable table;
  };

  void add_annotation(const std::string& name, const std::string& where, bool is_int) {
    if (std::find(annotations_.begin(), annotations_.end(), name) != annotations_.end())
      throw DataError("crawl: the annotation " + quote(name) + " of " + where +
                      " is there already. Name the wanted ones under columns.");
    annotations_.push_back(name);
    classes_.push_back({{}, {}, is_int && !options_.classes.contains(name)});
  }

  void check_fields() const {
    for (size_t i = 1; i < patterns_.size(); ++i)
      for (const auto& [one, other] : {std::pair(i, size_t{0}), std::pair(size_t{0}, i)})
        for (const PathPattern::Field& field : patterns_[one].fields())
          if (std::none_of(patterns_[other].fields().begin(), patterns_[other].fields().end(),
                           [&](const PathPattern::Field& known) {
                             return known.name == field.name && known.is_int == field.is_int;
                           }))
            throw ConfigError("crawl: all patterns must have the same fields, but " +
                              quote(options_.patterns[other]) + " has no " + quote(field.name) +
                              ", which " + quote(options_.patterns[one]) + " has.");
  }

  void add_side_file(const SideFileOptions& side) {
    if (side.on != "name" && side.on != "stem" && side.on != "path") (void)place_of(side.on);
    side_files_.push_back({side, SideTable({side.file, side.key, side.columns})});
    for (const std::string& column : side_files_.back().table.columns())
      add_annotation(column, quote(side.file), false);
  }

  [[nodiscard]] size_t place_of(const std::string& annotation) const {
    const auto found = std::find(annotations_.begin(), annotations_.end(), annotation);
    if (found != annotations_.end()) return static_cast<size_t>(found - annotations_.begin());
    throw ConfigError("crawl: there is no annotation " + quote(annotation) + "." +
                      did_you_mean(annotation, annotations_));
  }

  void check_names() const {
    for (const auto& [name, map] : options_.classes) (void)place_of(name);
    for (const std::string& name : options_.keys) (void)place_of(name);
    for (const std::string& name : options_.number_by_split) (void)place_of(name);
    const auto check = [&](const CrawlValues& values) {
      for (const auto& [name, allowed] : values) (void)place_of(name);
    };
    check(options_.where);
    check(options_.except);
    for (const auto& [split, rule] : options_.splits) {
      check(rule.where);
      check(rule.except);
    }
  }

  // By rules; or by the field `split`; or there is one, "all".
  void name_splits() {
    const auto field = std::find(annotations_.begin(), annotations_.end(), "split");
    if (options_.splits.size() > kMostSplits) throw_too_many_splits();
    for (const auto& [name, rule] : options_.splits) found_.splits.push_back(name);
    if (!found_.splits.empty()) return;
    if (field == annotations_.end())
      found_.splits.emplace_back("all");
    else
      split_field_ = static_cast<size_t>(field - annotations_.begin());
  }

  [[noreturn]] static void throw_too_many_splits() {
    throw DataError("crawl: there may be at most " + std::to_string(kMostSplits) + " splits.");
  }

  // Folders and files by name, so that every machine finds them in the same order.
  void walk(const fs::path& folder, const std::string& below) {
    for (const fs::path& path : list_folder(folder)) {
      const std::string name = below + path.filename().string();
      if (!fs::is_directory(path))
        take(name);
      else if (fs::is_symlink(path))
        leave_out("a link to a folder, which is not followed", name);
      else
        walk(path, name + "/");
    }
  }

  void leave_out(const std::string& reason, const std::string& path) {
    const auto [found, is_new] = reasons_.try_emplace(reason, found_.left_out.size());
    if (is_new) found_.left_out.push_back({reason, 0, path});
    ++found_.left_out[found->second].count;
  }

  void take(const std::string& path) {
    if (const auto reason = annotate(path)) return leave_out(*reason, path);
    if (!fits(options_.where, true)) return leave_out("left out by `where`", path);
    if (!fits(options_.except, false)) return leave_out("left out by `except`", path);
    const uint64_t splits = splits_of_values();
    if (splits == 0) return leave_out("in no split", path);
    if (found_.files.size() >= kMostFiles)
      throw DataError("crawl: " + options_.folder + " holds more than " + human_count(kMostFiles) +
                      " files.");
    found_.files.push_back({path, splits});
    for (size_t i = 0; i < values_.size(); ++i)
      found_.values.push_back(classes_[i].number(values_[i]));
  }

  // What is known of the file, into values_; or why it is left out.
  std::optional<std::string> annotate(const std::string& path) {
    if (!match(path)) return "fits no pattern";
    for (const SideFile& side : side_files_) {
      const std::vector<std::string>* row = side.table.find(side_key(side.options, path));
      if (row != nullptr)
        values_.insert(values_.end(), row->begin(), row->end());
      else if (side.options.missing == "error")
        throw DataError(side.options.file + ": has no row for " + quote(path) +
                        ". Add it, or leave such files out with missing: drop.");
      else
        return "has no row in " + fs::path(side.options.file).filename().string();
    }
    for (const auto& [annotation, map] : options_.classes) {
      std::string& value = values_[place_of(annotation)];
      const auto named = map.find(value);
      if (named == map.end()) return "its " + annotation + " is not among `classes`";
      value = named->second;
    }
    return std::nullopt;
  }

  bool match(const std::string& path) {
    for (const PathPattern& pattern : patterns_) {
      if (!pattern.match(path, matched_, work_)) continue;
      values_.assign(matched_.size(), {});
      for (size_t i = 0; i < matched_.size(); ++i) {
        const PathPattern::Field& field = pattern.fields()[i];
        values_[place_of(field.name)] =
            field.is_int ? without_zeros(matched_[i]) : std::string(matched_[i]);
      }
      return true;
    }
    return false;
  }

  [[nodiscard]] std::string side_key(const SideFileOptions& side, const std::string& path) const {
    if (side.on == "path") return path;
    if (side.on == "name") return fs::path(path).filename().string();
    if (side.on == "stem") return fs::path(path).stem().string();
    return values_[place_of(side.on)];
  }

  // Whether each annotation has one of its values, or none of it has.
  [[nodiscard]] bool fits(const CrawlValues& rule, bool is_wanted) const {
    return std::all_of(rule.begin(), rule.end(), [&](const auto& entry) {
      const std::string& value = values_[place_of(entry.first)];
      const auto& list = entry.second;
      return (std::find(list.begin(), list.end(), value) != list.end()) == is_wanted;
    });
  }

  uint64_t splits_of_values() {
    if (split_field_) return uint64_t{1} << split_number(values_[*split_field_]);
    uint64_t splits = options_.splits.empty() ? 1 : 0;
    uint64_t bit = 1;
    for (const auto& [name, rule] : options_.splits) {
      if (fits(rule.where, true) && fits(rule.except, false)) splits |= bit;
      bit <<= 1;
    }
    return splits;
  }

  size_t split_number(const std::string& name) {
    const auto found = std::find(found_.splits.begin(), found_.splits.end(), name);
    const auto number = static_cast<size_t>(found - found_.splits.begin());
    if (number == kMostSplits) throw_too_many_splits();
    if (found == found_.splits.end()) found_.splits.push_back(name);
    return number;
  }

  // Numbers in the order of the names, whatever file came first.
  void sort_classes() {
    for (size_t i = 0; i < classes_.size(); ++i) {
      CrawledClasses& table = classes_[i];
      std::vector<uint32_t> order(table.names.size());
      std::iota(order.begin(), order.end(), 0U);
      std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
        return comes_before(table.names[a], table.names[b], table.is_int);
      });
      std::vector<uint32_t> number(order.size());
      std::vector<std::string> sorted;
      for (size_t k = 0; k < order.size(); ++k) {
        number[order[k]] = static_cast<uint32_t>(k);
        sorted.push_back(table.names[order[k]]);
      }
      table.names = std::move(sorted);
      for (size_t at = i; at < found_.values.size(); at += classes_.size())
        found_.values[at] = number[found_.values[at]];
    }
  }

  const CrawlOptions& options_;
  std::vector<PathPattern> patterns_;
  std::vector<SideFile> side_files_;
  std::vector<std::string> annotations_;
  std::vector<CrawledClasses> classes_;
  std::optional<size_t> split_field_;
  std::map<std::string, size_t> reasons_;
  Crawled found_;
  // Of the file that is looked at.
  std::vector<std::string> values_;
  std::vector<std::string_view> matched_;
  std::vector<uint8_t> work_;
};

}  // namespace

std::vector<size_t> Crawled::files_of(const std::string& split) const {
  const auto found = std::find(splits.begin(), splits.end(), split);
  if (found == splits.end() && split != "all")
    throw DataError("crawl: there is no split " + quote(split) + "." + did_you_mean(split, splits));
  const uint64_t wanted =
      found == splits.end() ? ~uint64_t{0} : uint64_t{1} << (found - splits.begin());
  std::vector<size_t> chosen;
  for (size_t i = 0; i < files.size(); ++i)
    if ((files[i].splits & wanted) != 0) chosen.push_back(i);
  return chosen;
}

Crawled crawl_folder(const sources::CrawlOptions& options) { return Crawler(options).crawl(); }

}  // namespace hearth
