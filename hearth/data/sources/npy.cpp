// Rows of NumPy's array files: headers when opened, rows when they are read.
#include "hearth/data/sources/npy.h"

#include <algorithm>
#include <utility>

#include "hearth/config/registry.h"
#include "hearth/data/array/array_source.h"
#include "hearth/format/npy.h"

namespace hearth::sources {

namespace {

NpyHeader npy_header_of(const OpenedFile& file) {
  const uint64_t bytes = file_size(file.file, file.path);
  std::string start(static_cast<size_t>(std::min(bytes, kNpyHeaderLimitBytes)), '\0');
  read_at(file.file, 0, std::as_writable_bytes(std::span(start)), file.path);
  return parse_npy_header(start, bytes, file.path.string());
}

struct NpyForm {
  using Options = NpyOptions;
  static constexpr const char* kName = "npy";

  static void open(const Options& options, ArrayFiles& opened) {
    for (const auto& [key, path] : options.files) {
      const auto file = opened.open(path);
      NpyHeader header = npy_header_of(*file);
      const ArrayForm form{header.type, std::move(header.shape), header.is_swapped,
                           header.is_fortran};
      opened.table.add({key, form, read_from(file, header.data_begin), path});
    }
  }
};

}  // namespace

const Schema<NpyOptions>& NpyOptions::schema() {
  using O = NpyOptions;
  static const auto schema = [] {
    Schema<O> fields;
    fields.field(&O::files, "files",
                 "A file for each key: {features: x.npy, label: y.npy}. A row is a sample.",
                 is_path(), required(), not_empty());
    add_array_fields(fields);
    return fields;
  }();
  return schema;
}

Choice<Source> npy(const NpyOptions& options) { return choose<Source>("npy", options); }

void register_npy(Registry<Source>& registry) {
  registry.add<ArraySource<NpyForm>>("npy", "Rows of NumPy's .npy files, one file for each key.");
}

}  // namespace hearth::sources
