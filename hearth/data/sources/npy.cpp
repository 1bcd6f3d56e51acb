// Rows of NumPy's array files: headers when opened, rows when they are read.
#include "hearth/data/sources/npy.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "hearth/config/registry.h"
#include "hearth/data/array/array_rows.h"
#include "hearth/data/opened_file.h"
#include "hearth/format/npy.h"

namespace hearth::sources {

namespace {

NpyHeader npy_header_of(const OpenedFile& file) {
  const uint64_t bytes = file_size(file.file, file.path);
  std::string start(static_cast<size_t>(std::min(bytes, kNpyHeaderLimitBytes)), '\0');
  read_at(file.file, 0, std::as_writable_bytes(std::span(start)), file.path);
  return parse_npy_header(start, bytes, file.path.string());
}

class NpySource : public Source {
 public:
  using Options = NpyOptions;
  explicit NpySource(Options options) : options_(std::move(options)) {}

  void open() override {
    for (const auto& [key, path] : options_.files) {
      auto file = std::make_shared<OpenedFile>();
      file->open(path);
      NpyHeader header = npy_header_of(*file);
      const auto read = [file, begin = header.data_begin](uint64_t offset,
                                                          std::span<std::byte> into) {
        read_at(file->file, begin + offset, into, file->path);
      };
      table_.add({key,
                  {header.type, std::move(header.shape), header.is_swapped, header.is_fortran},
                  read,
                  path});
      files_.push_back(std::move(file));
    }
    table_.finish({options_.classes, options_.images});
  }

  std::vector<KeySpec> keys() const override { return table_.keys(); }
  int64_t size() const override { return table_.size(); }
  void read(int64_t index, std::span<const Cell> cells) const override {
    table_.read(index, cells);
  }

  std::string fingerprint() const override {
    Sha256 digest;
    for (const auto& file : files_) file->add_to(digest);
    return "npy:sha256:" + digest.finish_hex();
  }
  std::string describe(int64_t index) const override {
    return files_.front()->path.filename().string() + "[" + std::to_string(index) + "]";
  }

 private:
  Options options_;
  std::vector<std::shared_ptr<OpenedFile>> files_;
  ArrayTable table_;
};

}  // namespace

const Schema<NpyOptions>& NpyOptions::schema() {
  using O = NpyOptions;
  static const auto schema =
      Schema<O>()
          .field(&O::files, "files",
                 "A file for each key: {features: x.npy, label: y.npy}. A row is a sample.",
                 is_path(), required(), not_empty())
          .field(&O::classes, "classes",
                 "Which keys hold class numbers, and of how many classes: {label: 10}.",
                 at_least(1))
          .field(&O::images, "images",
                 "Which keys are images: bytes from 0 to 255, or float32 from 0 to 1, of [rows, "
                 "height, width] or [rows, height, width, channels].");
  return schema;
}

Choice<Source> npy(const NpyOptions& options) { return choose<Source>("npy", options); }

void register_npy(Registry<Source>& registry) {
  registry.add<NpySource>("npy", "Rows of NumPy's .npy files, one file for each key.");
}

}  // namespace hearth::sources
