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
#include "hearth/data/array/array_source.h"
#include "hearth/data/offset_index.h"
#include "hearth/format/npy.h"
#include "hearth/format/zip.h"

namespace hearth::sources {

namespace {

constexpr std::string_view kNpyEnding = ".npy";

// Whether a stored entry is whole, found out once: that a large file's is, is kept.
void check_once(const OpenedFile& file, const ZipEntry& entry) {
  (void)offset_index(
      {.file = file.file, .path = file.path, .kind = "whole " + entry.name, .build = [&] {
         check_stored_entry(file.file, file.path, entry);
         return OffsetIndex{};
       }});
}

// Where an entry's bytes come from, and its first ones.
struct NpzBytes {
  ArrayRows::ReadAt read;
  std::string start;
  uint64_t resident_bytes = 0;
};

NpzBytes npz_bytes(const std::shared_ptr<const OpenedFile>& file, const ZipEntry& entry,
                   uint64_t& left) {
  NpzBytes bytes;
  if (entry.is_stored) {
    check_once(*file, entry);
    bytes.start.resize(static_cast<size_t>(std::min(entry.bytes, kNpyHeaderLimitBytes)));
    bytes.read = read_from(file, entry.data_begin);
    bytes.read(0, std::as_writable_bytes(std::span(bytes.start)));
    return bytes;
  }
  const auto unpacked =
      std::make_shared<const std::string>(read_zip_entry(file->file, file->path, entry, left));
  left -= unpacked->size();
  bytes.resident_bytes = unpacked->size();
  bytes.start = unpacked->substr(0, kNpyHeaderLimitBytes);
  bytes.read = [unpacked](uint64_t offset, std::span<std::byte> into) {
    std::memcpy(into.data(), unpacked->data() + offset, into.size());
  };
  return bytes;
}

struct NpzForm {
  using Options = NpzOptions;
  static constexpr const char* kName = "npz";

  static void open(const Options& options, ArrayFiles& opened) {
    const auto file = opened.open(options.file);
    uint64_t left = static_cast<uint64_t>(options.megabytes) << 20U;
    std::vector<std::string> known;
    const auto& wanted = options.arrays;
    for (const ZipEntry& entry : read_zip_directory(file->file, file->path)) {
      if (!entry.name.ends_with(kNpyEnding)) continue;
      const std::string key = entry.name.substr(0, entry.name.size() - kNpyEnding.size());
      known.push_back(key);
      if (wanted.empty() || std::find(wanted.begin(), wanted.end(), key) != wanted.end())
        add(options.file + ": array " + quote(key), key, entry, npz_bytes(file, entry, left),
            opened);
    }
    check_array_names(wanted, known, "arrays", options.file);
    if (known.empty()) throw DataError(options.file + ": holds no array.");
  }

  static void add(const std::string& what, const std::string& key, const ZipEntry& entry,
                  const NpzBytes& bytes, ArrayFiles& opened) {
    NpyHeader header = parse_npy_header(bytes.start, entry.bytes, what);
    const ArrayForm form{header.type, std::move(header.shape), header.is_swapped, header.is_fortran,
                         bytes.resident_bytes};
    const auto read = [whole = bytes.read, begin = header.data_begin](uint64_t offset,
                                                                      std::span<std::byte> into) {
      whole(begin + offset, into);
    };
    opened.table.add({key, form, read, what});
  }
};

}  // namespace

const Schema<NpzOptions>& NpzOptions::schema() {
  using O = NpzOptions;
  static const auto schema = [] {
    Schema<O> fields;
    fields
        .field(&O::file, "file",
               "The archive; every array in it is a key of its name, a row of it a sample.",
               is_path(), required(), not_empty())
        .field(&O::arrays, "arrays", "Which of its arrays to take; left out: all.");
    add_array_fields(fields);
    fields.field(&O::megabytes, "megabytes",
                 "The most memory that unpacked arrays may take; stored ones take none.",
                 at_least(1), at_most(1 << 20));
    return fields;
  }();
  return schema;
}

Choice<Source> npz(const NpzOptions& options) { return choose<Source>("npz", options); }

void register_npz(Registry<Source>& registry) {
  registry.add<ArraySource<NpzForm>>("npz", "Rows of the arrays in a NumPy archive, .npz.");
}

}  // namespace hearth::sources
