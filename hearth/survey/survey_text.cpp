// A survey for people at a terminal, and for programs.
#include <algorithm>

#include <nlohmann/json.hpp>

#include "hearth/base/letters.h"
#include "hearth/base/text.h"
#include "hearth/survey/data_survey.h"

namespace hearth {
namespace {

constexpr size_t kMostClassesShown = 30;
constexpr size_t kTitleWidth = 8;

std::string number(double value) { return rounded_number(value, 4); }

std::string count(int64_t value) { return human_count(static_cast<uint64_t>(value)); }

std::string summary_text(const NumberSummary& summary) {
  std::string text;
  if (summary.count() > 0)
    text = number(summary.least()) + " to " + number(summary.most()) + ", mean " +
           number(summary.mean()) + ", std " + number(summary.deviation());
  if (summary.missing() > 0)
    text += (text.empty() ? "" : ", ") + count(summary.missing()) + " missing";
  if (summary.infinite() > 0)
    text += (text.empty() ? "" : ", ") + count(summary.infinite()) + " infinite";
  return text;
}

std::string class_name(const Spec& spec, size_t number) {
  return number < spec.class_names.size() ? spec.class_names[number] : std::to_string(number);
}

std::string class_lines(const KeySurvey& key) {
  const std::vector<int64_t>& counts = key.classes();
  std::vector<std::string> words;
  for (size_t c = 0; c < counts.size() && c < kMostClassesShown; ++c)
    words.push_back(class_name(key.key().spec, c) + " " + count(counts[c]));
  std::string text = "    classes  " + join(words, ", ");
  if (counts.size() > kMostClassesShown)
    text += " and " + count(static_cast<int64_t>(counts.size() - kMostClassesShown)) + " more";
  text += "\n";
  const auto empty = std::count(counts.begin(), counts.end(), 0);
  if (empty > 0) text += "    classes without a sample: " + count(empty) + "\n";
  if (const std::string doubt = key.doubt(); !doubt.empty()) text += "    doubtful " + doubt + "\n";
  if (key.outside_classes() > 0)
    text += "    values that are no class number: " + count(key.outside_classes()) + "\n";
  return text;
}

std::string key_lines(const KeySurvey& key) {
  std::string text = "  " + key.key().key + "  " + key.key().spec.text() + ", " +
                     std::string(name(key.key().spec.role)) + "\n";
  for (const NumberSummary& lengths : key.lengths())
    text += "    length   " + number(lengths.least()) + " to " + number(lengths.most()) +
            ", median " + number(lengths.quantile(0.5)) + "\n";
  if (!key.classes().empty()) return text + class_lines(key);
  const auto& numbers = key.numbers();
  for (size_t c = 0; c < numbers.size(); ++c)
    text += "    " + padded(key.title_of_numbers(c), kTitleWidth) + " " + summary_text(numbers[c]) +
            "\n";
  if (const std::string line = key.normalize_line(); !line.empty())
    text += "    to paste - " + line + "\n";
  return text;
}

std::string broken_lines(const std::vector<BrokenSample>& broken, size_t listed) {
  if (broken.empty()) return "";
  std::string text = "  broken samples: " + count(static_cast<int64_t>(broken.size())) + "\n";
  for (size_t i = 0; i < broken.size() && i < listed; ++i)
    text += "    " + broken[i].name + ": " + broken[i].reason + "\n";
  if (broken.size() > listed) text += "    ...\n";
  return text;
}

std::string set_text(const SetSurvey& set, size_t listed) {
  std::string text = set.name + ": " + count(set.samples) + " samples";
  if (set.looked_at < set.samples) text += ", of which " + count(set.looked_at) + " were looked at";
  text += "\n";
  for (const KeySurvey& key : set.keys) text += key_lines(key);
  text += "  after all ops\n";
  for (const KeySpec& key : set.final_keys)
    text += "    " + key.key + "  " + key.spec.text() + "\n";
  return text + broken_lines(set.broken, listed) + "\n";
}

std::string duplicates_text(const DataSurvey& survey) {
  const Duplicates& found = survey.duplicates;
  std::string text = "Duplicates\n  equal: " + count(found.exact_within) + " within a set, " +
                     count(found.exact_across) +
                     " between sets; similar pictures: " + count(found.near_within) + " within, " +
                     count(found.near_across) + " between\n";
  for (size_t i = 0; i < found.pairs.size(); ++i)
    text += "    " + survey.duplicate_names[i][0] + (found.pairs[i].is_exact ? "  =  " : "  ~  ") +
            survey.duplicate_names[i][1] + "\n";
  if (found.exact_across > 0)
    text +=
        "  A sample of one set stands in another too: what is measured on it tells too much. "
        "`drop_duplicates` of `hearth data clean` takes it out of the training set.\n";
  else if (found.near_across > 0)
    text += "  Pictures of one set look like some of another: see whether they are the same.\n";
  return text;
}

Json keys_json(const std::vector<KeySpec>& keys) { return to_json(keys); }

Json set_json(const SetSurvey& set) {
  Json json = {{"name", set.name},           {"samples", set.samples},
               {"looked_at", set.looked_at}, {"source_keys", keys_json(set.source_keys)},
               {"keys", Json::array()},      {"final_keys", keys_json(set.final_keys)},
               {"broken", Json::array()}};
  for (const KeySurvey& key : set.keys) json["keys"].push_back(key.to_json());
  for (const BrokenSample& sample : set.broken)
    json["broken"].push_back(
        {{"sample", sample.sample}, {"name", sample.name}, {"reason", sample.reason}});
  return json;
}

}  // namespace

std::string DataSurvey::text() const {
  std::string text;
  for (const SetSurvey& set : sets) text += set_text(set, listed);
  return text + duplicates_text(*this);
}

Json DataSurvey::to_json() const {
  Json json = {{"sets", Json::array()},
               {"duplicates",
                {{"exact_within", duplicates.exact_within},
                 {"exact_across", duplicates.exact_across},
                 {"near_within", duplicates.near_within},
                 {"near_across", duplicates.near_across},
                 {"pairs", Json::array()}}}};
  for (const SetSurvey& set : sets) json["sets"].push_back(set_json(set));
  for (size_t i = 0; i < duplicates.pairs.size(); ++i)
    json["duplicates"]["pairs"].push_back({{"first", duplicate_names[i][0]},
                                           {"second", duplicate_names[i][1]},
                                           {"is_exact", duplicates.pairs[i].is_exact}});
  return json;
}

}  // namespace hearth
