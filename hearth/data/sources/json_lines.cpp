// A file with a JSON object in each line: named fields become keys of text, numbers and classes.
#include "hearth/data/sources/json_lines.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <set>

#include "hearth/base/digest.h"
#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/config/registry.h"
#include "hearth/data/class_collector.h"
#include "hearth/data/key_specs.h"
#include "hearth/data/line_reader.h"
#include "hearth/data/offset_index.h"
#include "hearth/data/seekable_file.h"
#include "hearth/format/json.h"

namespace hearth::sources {

namespace {

class JsonLines : public Source {
 public:
  using Options = JsonLinesOptions;
  explicit JsonLines(Options options) : options_(std::move(options)) {}

  void open() override {
    if (options_.text.empty() && options_.number.empty() && options_.classes.empty())
      throw ConfigError("json_lines: give at least one of 'text', 'number' and 'class'.");
    file_ = std::make_unique<SeekableFile>(options_.file);
    index_ = offset_index({.file = file_->handle(),
                           .path = file_->path(),
                           .kind = "json_lines:" + join(options_.classes, "\n"),
                           .build = [this] { return find_lines(); }});
    if (index_.rows() == 0) throw DataError(options_.file + ": holds no line with a JSON object.");
    read_classes();
    const Json first = object_at(0);
    for (const std::string& field : options_.text) (void)text_of(first, field, 0);
    number_lengths_.clear();
    for (const std::string& field : options_.number)
      number_lengths_.push_back(length_of(field_of(first, field, 0)));
    if (options_.vocabulary) find_vocabulary();
  }

  std::vector<KeySpec> keys() const override {
    std::vector<KeySpec> keys;
    for (const std::string& field : options_.text) keys.push_back({field, text_key(vocabulary_)});
    for (size_t i = 0; i < options_.number.size(); ++i) {
      Spec spec;
      if (number_lengths_[i] >= 0) spec.shape = {number_lengths_[i]};
      keys.push_back({options_.number[i], spec});
    }
    for (size_t i = 0; i < options_.classes.size(); ++i)
      keys.push_back({options_.classes[i], class_key(class_counts_[i], class_names_[i])});
    return keys;
  }

  int64_t size() const override { return static_cast<int64_t>(index_.rows()); }

  void read(int64_t index, std::span<const Cell> cells) const override {
    const auto row = static_cast<size_t>(index);
    const size_t texts = options_.text.size();
    const size_t parsed = texts + options_.number.size();
    for (size_t k = parsed; k < cells.size(); ++k)
      if (cells[k].is_wanted())
        cells[k].set(static_cast<int64_t>(index_.at(row, kFirstClass + k - parsed)));
    if (std::none_of(cells.begin(), cells.begin() + static_cast<int64_t>(parsed),
                     [](const Cell& cell) { return cell.is_wanted(); }))
      return;
    const Json object = object_at(row);
    for (size_t k = 0; k < parsed; ++k) {
      if (!cells[k].is_wanted()) continue;
      if (k < texts)
        write_bytes(cells[k], text_of(object, options_.text[k], row));
      else
        read_numbers(field_of(object, options_.number[k - texts], row), k - texts, row, cells[k]);
    }
  }

  uint64_t resident_bytes() const override {
    return file_->resident_bytes() + index_.resident_bytes();
  }
  std::string fingerprint() const override {
    Sha256 digest;
    for (const auto* fields : {&options_.text, &options_.number, &options_.classes})
      digest.add(join(*fields, "\n") + "\n\n");
    digest.add(join(vocabulary_, "\n"));
    return "json_lines:" + file_->fingerprint() + ":sha256:" + digest.finish_hex();
  }
  std::string describe(int64_t index) const override {
    return file_->path().filename().string() + ":" +
           std::to_string(index_.at(static_cast<size_t>(index), kLine));
  }

 private:
  static constexpr size_t kOffset = 0;
  static constexpr size_t kBytes = 1;
  static constexpr size_t kLine = 2;
  static constexpr size_t kFirstClass = 3;

  [[noreturn]] void fail(uint64_t line, const std::string& reason) const {
    throw DataError(options_.file + ":" + std::to_string(line) + ": " + reason);
  }
  [[nodiscard]] uint64_t line_of(size_t row) const { return index_.at(row, kLine); }

  [[nodiscard]] Json parsed(std::string_view text, uint64_t line) const {
    Json object = parse_json(text, options_.file + ":" + std::to_string(line));
    if (!object.is_object()) fail(line, "expected a JSON object, but got " + shown(object) + ".");
    return object;
  }

  [[nodiscard]] Json object_at(size_t row) const {
    thread_local std::string text;
    text.resize(static_cast<size_t>(index_.at(row, kBytes)));
    file_->read(index_.at(row, kOffset), std::as_writable_bytes(std::span(text)));
    return parsed(text, line_of(row));
  }

  static std::string shown(const Json& value) {
    const std::string text = value.dump(-1, ' ', true, Json::error_handler_t::replace);
    return text.size() > 60 ? text.substr(0, 60) + "..." : text;
  }

  [[nodiscard]] const Json& field_in(const Json& object, const std::string& field,
                                     uint64_t line) const {
    const auto found = object.find(field);
    if (found != object.end()) return *found;
    std::vector<std::string> names;
    for (const auto& entry : object.items()) names.push_back(entry.key());
    fail(line, "there is no field " + quote(field) + "." + did_you_mean(field, names));
  }
  [[nodiscard]] const Json& field_of(const Json& object, const std::string& field,
                                     size_t row) const {
    return field_in(object, field, line_of(row));
  }

  [[nodiscard]] const std::string& text_of(const Json& object, const std::string& field,
                                           size_t row) const {
    const Json& value = field_of(object, field, row);
    if (!value.is_string())
      fail(line_of(row), quote(field) + " must be a text, but is " + shown(value) + ".");
    return value.get_ref<const std::string&>();
  }

  // A list has the length that it has in the first line; below 0: a single number.
  [[nodiscard]] static int64_t length_of(const Json& value) {
    return value.is_array() ? static_cast<int64_t>(value.size()) : -1;
  }

  void read_numbers(const Json& value, size_t field, size_t row, const Cell& cell) const {
    const std::string name = quote(options_.number[field]);
    if (length_of(value) != number_lengths_[field])
      fail(line_of(row),
           name + " is " + shown(value) + ", but in the first line it is " +
               (number_lengths_[field] < 0 ? "a number."
                                           : std::to_string(number_lengths_[field]) + " numbers."));
    const auto to = cell.as<float>();
    for (size_t i = 0; i < to.size(); ++i) {
      const Json& number = value.is_array() ? value[i] : value;
      if (!number.is_number() && !number.is_boolean())
        fail(line_of(row), name + " must be a number, but is " + shown(number) + ".");
      to[i] = number.is_boolean() ? static_cast<float>(number.get<bool>()) : number.get<float>();
      if (!std::isfinite(to[i]))
        fail(line_of(row), name + " is " + shown(number) + ", which float32 cannot hold.");
    }
  }

  [[nodiscard]] std::string class_text(const Json& value, const std::string& field,
                                       uint64_t line) const {
    if (value.is_string()) return value.get<std::string>();
    if (value.is_number_integer() || value.is_boolean()) return value.dump();
    fail(line, quote(field) + " must be a text or a whole number to be a class, but is " +
                   shown(value) + ".");
  }

  // Every line is looked at once: faults are found now, and classes are known.
  [[nodiscard]] OffsetIndex find_lines() const {
    OffsetIndex found{.columns = kFirstClass + options_.classes.size()};
    std::vector<ClassCollector> collectors(options_.classes.size());
    for_each_line(*file_, [&](const FileLine& line) {
      if (trim(line.text).empty()) return;
      const Json object = parsed(line.text, line.number);
      found.numbers.insert(found.numbers.end(), {line.offset, line.text.size(), line.number});
      for (size_t i = 0; i < collectors.size(); ++i) {
        const std::string& field = options_.classes[i];
        found.numbers.push_back(collectors[i].add(
            class_text(field_in(object, field, line.number), field, line.number)));
      }
    });
    for (size_t i = 0; i < collectors.size(); ++i) {
      const ClassCollector::Classes classes = collectors[i].finish();
      found.texts.push_back(Json({classes.count, classes.names}).dump());
      for (size_t row = 0; row < found.rows(); ++row) {
        uint64_t& number = found.numbers[row * found.columns + kFirstClass + i];
        number = classes.numbers[number];
      }
    }
    return found;
  }

  void read_classes() {
    class_names_.clear();
    class_counts_.clear();
    for (const std::string& text : index_.texts) {
      const Json classes = Json::parse(text);
      class_counts_.push_back(classes[0].get<int64_t>());
      class_names_.push_back(classes[1].get<std::vector<std::string>>());
    }
  }

  // Of all text fields together; of another file's, if one is named.
  void find_vocabulary() {
    if (!options_.vocabulary_of.empty()) {
      JsonLines other({.file = options_.vocabulary_of,
                       .text = options_.text,
                       .vocabulary = options_.vocabulary});
      other.open();
      vocabulary_ = other.vocabulary_;
      return;
    }
    std::string text;
    for (size_t row = 0; row < index_.rows(); ++row) {
      const Json object = object_at(row);
      for (const std::string& field : options_.text) text += text_of(object, field, row) + "\n";
    }
    vocabulary_ =
        open_tokenizer(*options_.vocabulary, {.text = text, .what = options_.file})->names();
  }

  Options options_;
  std::unique_ptr<SeekableFile> file_;
  OffsetIndex index_;
  std::vector<int64_t> number_lengths_;
  std::vector<int64_t> class_counts_;
  std::vector<std::vector<std::string>> class_names_;
  std::vector<std::string> vocabulary_;
};

bool json_keys_differ(const JsonLinesOptions& options) {
  std::set<std::string> seen;
  for (const auto* fields : {&options.text, &options.number, &options.classes})
    for (const std::string& field : *fields)
      if (!seen.insert(field).second) return false;
  return true;
}

}  // namespace

const Schema<JsonLinesOptions>& JsonLinesOptions::schema() {
  using O = JsonLinesOptions;
  static const auto schema =
      Schema<O>()
          .field(&O::file, "file", "A JSON object in each line; may be .gz.", is_path(), required(),
                 not_empty())
          .field(&O::text, "text", "Fields that hold text; each becomes the key of its name.")
          .field(&O::number, "number",
                 "Fields that hold a number, or a list of as many as in the first line.")
          .field(&O::classes, "class",
                 "Fields that hold a class: whole numbers from 0 on are its number, texts are "
                 "numbered in their order.")
          .field(&O::vocabulary, "vocabulary",
                 "Tokens whose vocabulary is that of the texts, words or characters, for tokenize. "
                 "It travels with the model. Left out: none.")
          .field(&O::vocabulary_of, "vocabulary_of",
                 "Another such file, whose texts have the vocabulary: that of the training, for "
                 "what is evaluated. Left out: this one.",
                 is_path())
          .check("'vocabulary_of' goes with 'vocabulary', which says what it is made of.",
                 [](const O& options) {
                   return options.vocabulary_of.empty() || options.vocabulary.has_value();
                 })
          .check("A field can be only one of 'text', 'number' and 'class', once.",
                 json_keys_differ);
  return schema;
}

Choice<Source> json_lines(const JsonLinesOptions& options) {
  return choose<Source>("json_lines", options);
}

void register_json_lines(Registry<Source>& registry) {
  registry.add<JsonLines>("json_lines", "A JSON object in each line: text, numbers and classes.");
}

}  // namespace hearth::sources
