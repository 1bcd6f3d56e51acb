// Sources whose samples are rows of arrays, whatever files those come in.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "hearth/config/schema.h"
#include "hearth/data/array/array_rows.h"
#include "hearth/data/opened_file.h"
#include "hearth/data/source.h"

namespace hearth {

// What opening such a source gives: files, and arrays in them.
struct ArrayFiles {
  // A file that the source's samples come from.
  std::shared_ptr<const OpenedFile> open(const std::string& path);

  std::vector<std::shared_ptr<const OpenedFile>> files;
  ArrayTable table;
};

// Reads a file from a place on.
[[nodiscard]] ArrayRows::ReadAt read_from(std::shared_ptr<const OpenedFile> file, uint64_t begin);

// ConfigError naming the option for a wanted name that is not among those of the file.
void check_array_names(const std::vector<std::string>& wanted,
                       const std::vector<std::string>& known, const std::string& option,
                       const std::string& file);

// A Form has Options with `classes` and `images`, kName, and open(options, files).
template <class Form>
class ArraySource : public Source {
 public:
  using Options = typename Form::Options;
  explicit ArraySource(Options options) : options_(std::move(options)) {}

  void open() override {
    Form::open(options_, opened_);
    opened_.table.finish({options_.classes, options_.images});
  }
  std::vector<KeySpec> keys() const override { return opened_.table.keys(); }
  int64_t size() const override { return opened_.table.size(); }
  uint64_t resident_bytes() const override { return opened_.table.resident_bytes(); }
  void read(int64_t index, std::span<const Cell> cells) const override {
    opened_.table.read(index, cells);
  }
  std::string fingerprint() const override {
    Sha256 digest;
    for (const auto& file : opened_.files) file->add_to(digest);
    return std::string(Form::kName) + ":sha256:" + digest.finish_hex();
  }
  std::string describe(int64_t index) const override {
    return opened_.files.front()->path.filename().string() + "[" + std::to_string(index) + "]";
  }

 private:
  Options options_;
  ArrayFiles opened_;
};

template <class O>
void add_array_fields(Schema<O>& schema) {
  schema
      .field(&O::classes, "classes",
             "Which keys hold class numbers, and of how many classes: {label: 10}.", at_least(1))
      .field(&O::images, "images",
             "Which keys are images: bytes from 0 to 255, or float32 from 0 to 1, of [rows, "
             "height, width] or [rows, height, width, channels].");
}

}  // namespace hearth
