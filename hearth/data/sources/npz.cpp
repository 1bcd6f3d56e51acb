// Rows of the arrays in a NumPy archive: those that are stored are read row by row, those that are
// packed are unpacked when the archive is opened.
#include "hearth/data/sources/npz.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/config/registry.h"
#include "hearth/data/array/array_rows.h"
#include "hearth/data/opened_file.h"
#include "hearth/format/npy.h"
#include "hearth/format/zip.h"

namespace hearth::sources {

namespace {

constexpr std::string_view kNpyEnding = ".npy";

class NpzSource : public Source {
 public:
  using Options = NpzOptions;
  explicit NpzSource(Options options) : options_(std::move(options)) {}

  void open() override {
    file_->open(options_.file);
    int64_t count = 0;
    uint64_t left = static_cast<uint64_t>(options_.megabytes) << 20U;
    std::vector<std::string> known;
    for (const ZipEntry& entry : read_zip_directory(file_->file, file_->path)) {
      if (!entry.name.ends_with(kNpyEnding)) continue;
      const std::string key = entry.name.substr(0, entry.name.size() - kNpyEnding.size());
      known.push_back(key);
      if (!is_wanted(key)) continue;
      add(key, entry, left);
      ++count;
    }
    for (const std::string& key : options_.arrays)
      if (std::find(known.begin(), known.end(), key) == known.end())
        throw ConfigError("arrays: " + options_.file + " has no array " + quote(key) + "." +
                          did_you_mean(key, known));
    if (count == 0) throw DataError(options_.file + ": holds no array.");
    table_.finish({options_.classes, options_.images});
  }

  std::vector<KeySpec> keys() const override { return table_.keys(); }
  int64_t size() const override { return table_.size(); }
  void read(int64_t index, std::span<const Cell> cells) const override {
    table_.read(index, cells);
  }

  std::string fingerprint() const override {
    Sha256 digest;
    file_->add_to(digest);
    return "npz:sha256:" + digest.finish_hex();
  }
  std::string describe(int64_t index) const override {
    return file_->path.filename().string() + "[" + std::to_string(index) + "]";
  }

 private:
  [[nodiscard]] bool is_wanted(const std::string& key) const {
    const auto& wanted = options_.arrays;
    return wanted.empty() || std::find(wanted.begin(), wanted.end(), key) != wanted.end();
  }

  void add(const std::string& key, const ZipEntry& entry, uint64_t& left) {
    const std::string what = options_.file + ": array " + quote(key);
    ArrayRows::ReadAt read;
    std::string start;
    if (entry.is_stored) {
      start.resize(static_cast<size_t>(std::min(entry.bytes, kNpyHeaderLimitBytes)));
      read_at(file_->file, entry.data_begin, std::as_writable_bytes(std::span(start)), file_->path);
      read = [file = file_, begin = entry.data_begin](uint64_t offset, std::span<std::byte> into) {
        read_at(file->file, begin + offset, into, file->path);
      };
    } else {
      auto bytes = std::make_shared<const std::string>(
          read_zip_entry(file_->file, file_->path, entry, left));
      left -= bytes->size();
      start = bytes->substr(0, kNpyHeaderLimitBytes);
      read = [bytes](uint64_t offset, std::span<std::byte> into) {
        std::memcpy(into.data(), bytes->data() + offset, into.size());
      };
    }
    NpyHeader header = parse_npy_header(start, entry.bytes, what);
    table_.add({key,
                {header.type, std::move(header.shape), header.is_swapped, header.is_fortran},
                [read, begin = header.data_begin](uint64_t offset, std::span<std::byte> into) {
                  read(begin + offset, into);
                },
                what});
  }

  Options options_;
  std::shared_ptr<OpenedFile> file_ = std::make_shared<OpenedFile>();
  ArrayTable table_;
};

}  // namespace

const Schema<NpzOptions>& NpzOptions::schema() {
  using O = NpzOptions;
  static const auto schema =
      Schema<O>()
          .field(&O::file, "file",
                 "The archive; every array in it is a key of its name, a row of it a sample.",
                 is_path(), required(), not_empty())
          .field(&O::arrays, "arrays", "Which of its arrays to take; left out: all.")
          .field(&O::classes, "classes",
                 "Which keys hold class numbers, and of how many classes: {label: 10}.",
                 at_least(1))
          .field(&O::images, "images",
                 "Which keys are images: bytes from 0 to 255, or float32 from 0 to 1, of [rows, "
                 "height, width] or [rows, height, width, channels].")
          .field(&O::megabytes, "megabytes",
                 "The most memory that unpacked arrays may take; stored ones take none.",
                 at_least(1), at_most(1 << 20));
  return schema;
}

Choice<Source> npz(const NpzOptions& options) { return choose<Source>("npz", options); }

void register_npz(Registry<Source>& registry) {
  registry.add<NpzSource>("npz", "Rows of the arrays in a NumPy archive, .npz.");
}

}  // namespace hearth::sources
