// The lines of a text file: `text`, and `label` when a class and a tab stand before each.
#include "hearth/data/sources/text_lines.h"

#include <map>
#include <memory>
#include <optional>

#include "hearth/base/digest.h"
#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/config/registry.h"
#include "hearth/data/key_specs.h"
#include "hearth/data/line_reader.h"
#include "hearth/data/offset_index.h"
#include "hearth/data/seekable_file.h"

namespace hearth::sources {

namespace {

class TextLines : public Source {
 public:
  using Options = TextLinesOptions;
  explicit TextLines(Options options) : options_(std::move(options)) {}

  void open() override {
    file_ = std::make_unique<SeekableFile>(options_.file);
    index_ = offset_index(
        {.file = file_->handle(), .path = file_->path(), .kind = "text_lines", .build = [this] {
           return find_lines();
         }});
    if (index_.rows() == 0) throw DataError(options_.file + ": holds no line of text.");
    if (options_.vocabulary) find_vocabulary();
  }

  std::vector<KeySpec> keys() const override {
    if (!has_classes()) return {{"text", text_key(vocabulary_)}};
    const auto classes = static_cast<int64_t>(index_.texts.size());
    return {{"text", text_key(vocabulary_)}, {"label", class_key(classes, index_.texts)}};
  }

  int64_t size() const override { return static_cast<int64_t>(index_.rows()); }

  void read(int64_t index, std::span<const Cell> cells) const override {
    const auto row = static_cast<size_t>(index);
    if (cells[0].is_wanted()) {
      const View room = cells[0].take({static_cast<int64_t>(index_.at(row, kBytes))});
      file_->read(index_.at(row, kOffset), {room.data, room.elements()});
    }
    if (cells.size() > 1 && cells[1].is_wanted())
      cells[1].set(static_cast<int64_t>(index_.at(row, kLabel)));
  }

  uint64_t resident_bytes() const override {
    return file_->resident_bytes() + index_.resident_bytes();
  }
  std::string fingerprint() const override {
    Sha256 digest;
    file_->add_to(digest);
    std::string text = "text_lines:sha256:" + digest.finish_hex();
    if (!vocabulary_.empty()) text += ":" + sha256_hex(join(vocabulary_, "\n"));
    return text;
  }
  std::string describe(int64_t index) const override {
    return file_->path().filename().string() + ":" +
           std::to_string(index_.at(static_cast<size_t>(index), kLine));
  }

 private:
  static constexpr size_t kOffset = 0;
  static constexpr size_t kBytes = 1;
  static constexpr size_t kLine = 2;
  static constexpr size_t kLabel = 3;

  [[nodiscard]] bool has_classes() const { return !index_.texts.empty(); }

  // Empty lines are none. All others have a class, or none has; classes are numbered in the order
  // of their names.
  [[nodiscard]] OffsetIndex find_lines() const {
    OffsetIndex found{.columns = kLabel + 1};
    std::map<std::string, uint64_t, std::less<>> names;  // with the number they were met by
    std::optional<bool> has_names;
    for_each_line(*file_, [&](const FileLine& line) {
      if (line.text.empty()) return;
      if (line.text.find('\0') != line.text.npos)
        throw DataError(options_.file + ":" + std::to_string(line.number) +
                        ": a NUL byte; this is not text in UTF-8.");
      const size_t tab = line.text.find('\t');
      if (!has_names) has_names = tab != line.text.npos;
      const size_t begin = *has_names ? tab + 1 : 0;
      if (*has_names && (tab == line.text.npos || tab == 0))
        throw DataError(options_.file + ":" + std::to_string(line.number) +
                        ": expected a class, a tab and a text, as in the first line.");
      uint64_t name = 0;
      if (*has_names)
        name = names.try_emplace(std::string(line.text.substr(0, tab)), names.size()).first->second;
      found.numbers.insert(found.numbers.end(),
                           {line.offset + begin, line.text.size() - begin, line.number, name});
    });
    std::vector<uint64_t> sorted(names.size());
    for (const auto& [name, number] : names) {
      sorted[number] = found.texts.size();
      found.texts.push_back(name);
    }
    for (size_t at = kLabel; !sorted.empty() && at < found.numbers.size(); at += found.columns)
      found.numbers[at] = sorted[found.numbers[at]];
    return found;
  }

  // Of the texts of all lines; of another file's, if one is named. Classes are no text.
  void find_vocabulary() {
    if (!options_.vocabulary_of.empty()) {
      TextLines other({.file = options_.vocabulary_of, .vocabulary = options_.vocabulary});
      other.open();
      vocabulary_ = other.vocabulary_;
      return;
    }
    std::string text;
    for (size_t row = 0; row < index_.rows(); ++row) {
      const size_t begin = text.size();
      text.resize(begin + static_cast<size_t>(index_.at(row, kBytes)));
      file_->read(index_.at(row, kOffset), std::as_writable_bytes(std::span(text)).subspan(begin));
      text += '\n';
    }
    vocabulary_ =
        open_tokenizer(*options_.vocabulary, {.text = text, .what = options_.file})->names();
  }

  Options options_;
  std::unique_ptr<SeekableFile> file_;
  OffsetIndex index_;
  std::vector<std::string> vocabulary_;
};

}  // namespace

const Schema<TextLinesOptions>& TextLinesOptions::schema() {
  using O = TextLinesOptions;
  static const auto schema =
      Schema<O>()
          .field(
              &O::file, "file",
              "A text file in UTF-8, also packed by gzip: a sample for each line, with or without "
              "a class and a tab before it.",
              is_path(), required(), not_empty())
          .field(&O::vocabulary, "vocabulary",
                 "Tokens whose vocabulary is that of this text, words or characters, for tokenize. "
                 "It travels with the model. Left out: none.")
          .field(&O::vocabulary_of, "vocabulary_of",
                 "Another such file, whose texts have the vocabulary: that of the training, for "
                 "what is evaluated. Left out: this one.",
                 is_path())
          .check("'vocabulary_of' goes with 'vocabulary', which says what it is made of.",
                 [](const O& options) {
                   return options.vocabulary_of.empty() || options.vocabulary.has_value();
                 });
  return schema;
}

Choice<Source> text_lines(TextLinesOptions options) {
  return choose<Source>("text_lines", options);
}

void register_text_lines(Registry<Source>& registry) {
  registry.add<TextLines>("text_lines", "The lines of a text file, with or without a class each.");
}

}  // namespace hearth::sources
