// The lines of a text file: `text`, and `label` when a class and a tab stand before each.
#include "hearth/data/sources/text_lines.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <set>
#include <string_view>

#include "hearth/base/digest.h"
#include "hearth/base/error.h"
#include "hearth/base/files.h"
#include "hearth/base/text.h"
#include "hearth/config/registry.h"

namespace hearth::sources {

namespace {

constexpr uint64_t kTextFileLimitBytes = 4ULL << 30;

class TextLines : public Source {
 public:
  using Options = TextLinesOptions;
  explicit TextLines(Options options) : options_(std::move(options)) {}

  void open() override {
    content_ = read_file(options_.file, kTextFileLimitBytes);
    fingerprint_ = "text_lines:sha256:" + sha256_hex(content_);
    find_lines();
    if (lines_.empty()) throw DataError(options_.file + ": holds no line of text.");
    find_labels();
    if (options_.vocabulary) vocabulary_ = vocabulary_of_lines();
  }

  std::vector<KeySpec> keys() const override {
    Spec text{.dtype = DType::kUint8, .shape = {kAnyLength}};
    text.role = Role::kText;
    text.class_names = vocabulary_;
    if (names_.empty()) return {{"text", text}};
    Spec label{.dtype = DType::kInt64, .classes = static_cast<int64_t>(names_.size())};
    label.class_names = names_;
    label.role = Role::kClass;
    return {{"text", text}, {"label", label}};
  }

  int64_t size() const override { return static_cast<int64_t>(lines_.size()); }

  void read(int64_t index, std::span<const Cell> cells) const override {
    const Line& line = lines_[static_cast<size_t>(index)];
    if (cells[0].is_wanted()) {
      const View room = cells[0].take({static_cast<int64_t>(line.text.size())});
      std::memcpy(room.data, line.text.data(), line.text.size());
    }
    if (cells.size() > 1 && cells[1].is_wanted()) cells[1].set(line.label);
  }

  std::string fingerprint() const override {
    if (vocabulary_.empty()) return fingerprint_;
    return fingerprint_ + ":" + sha256_hex(join(vocabulary_, "\n"));
  }
  std::string describe(int64_t index) const override {
    return std::filesystem::path(options_.file).filename().string() + ":" +
           std::to_string(lines_[static_cast<size_t>(index)].number);
  }

 private:
  struct Line {
    std::string_view text;
    std::string_view name;  // of its class
    int64_t number = 0;
    int64_t label = 0;
  };

  // Empty lines are none.
  void find_lines() {
    int64_t number = 0;
    for (size_t begin = 0; begin < content_.size();) {
      const size_t end = std::min(content_.find('\n', begin), content_.size());
      std::string_view text = std::string_view(content_).substr(begin, end - begin);
      begin = end + 1;
      ++number;
      if (text.ends_with('\r')) text.remove_suffix(1);
      if (!text.empty()) lines_.push_back({text, {}, number, 0});
    }
  }

  // All lines have a class, or none; classes are numbered in the order of their names.
  void find_labels() {
    if (lines_[0].text.find('\t') == std::string_view::npos) return;
    std::set<std::string_view> names;
    for (Line& line : lines_) {
      const size_t tab = line.text.find('\t');
      if (tab == std::string_view::npos || tab == 0)
        throw DataError(options_.file + ":" + std::to_string(line.number) +
                        ": expected a class, a tab and a text, as in the first line.");
      line.name = line.text.substr(0, tab);
      line.text.remove_prefix(tab + 1);
      names.insert(line.name);
    }
    names_.assign(names.begin(), names.end());
    for (Line& line : lines_)
      line.label = std::lower_bound(names_.begin(), names_.end(), line.name) - names_.begin();
  }

  // Classes are no text.
  [[nodiscard]] std::vector<std::string> vocabulary_of_lines() const {
    std::string text;
    for (const Line& line : lines_) text += std::string(line.text) + "\n";
    return open_tokenizer(*options_.vocabulary, {.text = text, .what = options_.file})->names();
  }

  Options options_;
  std::string content_;
  std::string fingerprint_;
  std::vector<Line> lines_;
  std::vector<std::string> names_;
  std::vector<std::string> vocabulary_;
};

}  // namespace

const Schema<TextLinesOptions>& TextLinesOptions::schema() {
  using O = TextLinesOptions;
  static const auto schema =
      Schema<O>()
          .field(&O::file, "file",
                 "A text file in UTF-8: a sample for each line, with or without a class and a tab "
                 "before it.",
                 is_path(), required(), not_empty())
          .field(&O::vocabulary, "vocabulary",
                 "Tokens whose vocabulary is that of this text, words or characters, for tokenize. "
                 "It travels with the model. Left out: none.");
  return schema;
}

Choice<Source> text_lines(TextLinesOptions options) {
  return choose<Source>("text_lines", options);
}

void register_text_lines(Registry<Source>& registry) {
  registry.add<TextLines>("text_lines", "The lines of a text file, with or without a class each.");
}

}  // namespace hearth::sources
