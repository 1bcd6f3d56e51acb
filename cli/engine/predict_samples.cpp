// What was given on the command line to predict, as raw samples.
#include "cli/engine/predict_samples.h"

#include <algorithm>
#include <map>

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/train/raw_files.h"
#include "hearth/train/raw_table.h"

namespace hearth::cli {
namespace {

// "image=a.png" at its first "=".
std::pair<std::string, std::string> key_and_value(const std::string& word,
                                                  const std::string& flag) {
  const size_t at = word.find('=');
  if (at == std::string::npos || at == 0)
    throw ConfigError(flag + " " + word + ": write KEY=" + (flag == "--text" ? "TEXT" : "FILE") +
                      ", the key of the model's input first.");
  return {word.substr(0, at), word.substr(at + 1)};
}

class Gatherer {
 public:
  Gatherer(const PredictArguments& arguments, const Predictor& predictor)
      : arguments_(arguments), keys_(predictor.inputs()), text_(predictor.inputs_text()) {}

  GivenSamples run() {
    for (const std::string& word : arguments_.inputs) {
      const auto [key, file] = key_and_value(word, "--input");
      add_file(spec_of(key), file);
    }
    for (const std::string& word : arguments_.texts) {
      auto [key, text] = key_and_value(word, "--text");
      std::string name = "text " + quote(text);
      columns_[spec_of(key).key].push_back({std::move(name), {{key, RawText{std::move(text)}}}});
    }
    if (is_table(keys_) && columns_.empty()) return rows_of_tables();
    if (!arguments_.rows.empty())
      throw ConfigError("--row is for models that were trained on a table. This one needs:\n" +
                        text_);
    if (!arguments_.files.empty()) {
      const KeySpec key = only_free_key();
      for (const std::string& file : arguments_.files) add_file(key, file);
    }
    check_all_given();
    join_columns();
    return std::move(given_);
  }

 private:
  // Every row is a whole sample. One that does not do keeps its file, but no other, from being
  // predicted.
  GivenSamples rows_of_tables() {
    const auto add = [&](const std::string& name, const auto& read) {
      try {
        for (RawSample& sample : read()) given_.samples.push_back(std::move(sample));
      } catch (const DataError& error) {
        given_.failed.push_back({.input = name, .error = error.what()});
      }
    };
    for (const std::string& file : arguments_.files)
      add(file, [&] { return table_samples(file, keys_); });
    for (const std::string& row : arguments_.rows)
      add("row", [&] { return table_samples_of_json(row, "row " + quote(row), keys_); });
    return std::move(given_);
  }

  [[nodiscard]] const KeySpec& spec_of(const std::string& key) const {
    std::vector<std::string> names;
    for (const KeySpec& known : keys_) {
      if (known.key == key) return known;
      names.push_back(known.key);
    }
    throw ConfigError("the model does not need " + quote(key) + "." + did_you_mean(key, names) +
                      " It needs:\n" + text_);
  }

  [[nodiscard]] KeySpec only_free_key() const {
    std::vector<KeySpec> free;
    for (const KeySpec& key : keys_)
      if (!columns_.contains(key.key)) free.push_back(key);
    if (free.size() == 1) return free.front();
    throw ConfigError(quote(arguments_.files.front()) +
                      (free.empty() ? " is one too many: every key has its input already."
                                    : " could be for any of several keys. Name the key: --input " +
                                          free.front().key + "=" + arguments_.files.front()) +
                      "\nThe model needs:\n" + text_);
  }

  // A file that cannot be read does not keep the others from being predicted.
  void add_file(const KeySpec& key, const std::string& file) {
    std::vector<RawSample>& column = columns_[key.key];
    try {
      for (RawSample& sample : samples_of_file(file, key, arguments_.is_inverted))
        column.push_back(std::move(sample));
    } catch (const DataError& error) {
      if (keys_.size() > 1) throw;  // the samples of other keys would lose their partners
      given_.failed.push_back({.input = file, .error = error.what()});
    }
  }

  void check_all_given() const {
    std::vector<std::string> missing;
    for (const KeySpec& key : keys_)
      if (!columns_.contains(key.key)) missing.push_back(quote(key.key));
    if (missing.empty()) return;
    throw ConfigError("there is nothing for " + join(missing, ", ") + ". The model needs:\n" +
                      text_ + "Give files with --input KEY=FILE, text with --text KEY=TEXT.");
  }

  [[nodiscard]] size_t sample_count() const {
    size_t count = 1;
    for (const auto& [key, column] : columns_)
      if (column.size() != 1) count = column.size();
    for (const auto& [key, column] : columns_)
      if (column.size() != count && column.size() != 1)
        throw ConfigError(quote(key) + " has " + std::to_string(column.size()) +
                          " samples, but another key has " + std::to_string(count) +
                          ". Give each key as many, or one for all of them.");
    return count;
  }

  void join_columns() {
    const size_t count = sample_count();
    for (size_t i = 0; i < count; ++i) {
      RawSample joined;
      std::vector<std::string> names;
      for (const KeySpec& key : keys_) {
        const std::vector<RawSample>& column = columns_.at(key.key);
        const RawSample& part = column[column.size() == 1 ? 0 : i];
        names.push_back(part.name);
        joined.values.insert(part.values.begin(), part.values.end());
        joined.notes.insert(joined.notes.end(), part.notes.begin(), part.notes.end());
      }
      joined.name = join(names, ", ");
      given_.samples.push_back(std::move(joined));
    }
  }

  const PredictArguments& arguments_;
  std::vector<KeySpec> keys_;
  std::string text_;
  std::map<std::string, std::vector<RawSample>> columns_;
  GivenSamples given_;
};

}  // namespace

GivenSamples given_samples(const PredictArguments& arguments, const Predictor& predictor) {
  return Gatherer(arguments, predictor).run();
}

}  // namespace hearth::cli
