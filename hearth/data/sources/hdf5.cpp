// Rows of the datasets in an HDF5 file: headers when opened, rows when they are read; chunks are
// unpacked when a row of theirs is asked for, and kept within a limit.
#include "hearth/data/sources/hdf5.h"

#include <algorithm>

#include "hearth/base/error.h"
#include "hearth/config/registry.h"
#include "hearth/data/array/array_source.h"
#include "hearth/data/array/hdf5_rows.h"

namespace hearth::sources {

namespace {

// Of its unpacked chunks, where the cache has `left` bytes for them, and of where they lie.
uint64_t kept_of_chunks(const Hdf5Dataset& dataset, uint64_t& left) {
  if (dataset.chunk_shape.empty()) return 0;
  const uint64_t cached = std::min(left, dataset.chunks.size() * dataset.chunk_bytes());
  left -= cached;
  return cached + dataset.chunks.size() * sizeof(Hdf5Chunk);
}

// A key for each dataset, named by its path.
std::map<std::string, std::string> all_datasets(const Hdf5File& file, const std::string& path) {
  std::map<std::string, std::string> keys;
  for (const auto& [name, place] : file.datasets()) {
    std::string key = name;
    std::replace(key.begin(), key.end(), '/', '_');
    keys.emplace(key, name);
  }
  if (keys.empty()) throw DataError(path + ": holds no dataset.");
  return keys;
}

struct Hdf5Form {
  using Options = Hdf5Options;
  static constexpr const char* kName = "hdf5";

  static void open(const Options& options, ArrayFiles& opened) {
    const auto file = opened.open(options.file);
    const Hdf5File content(read_from(file, 0), file_size(file->file, file->path), options.file);
    std::vector<std::string> known;
    for (const auto& [name, place] : content.datasets()) known.push_back(name);
    std::vector<std::string> wanted;
    for (const auto& [key, name] : options.datasets) wanted.push_back(name);
    check_array_names(wanted, known, "datasets", options.file);
    uint64_t left = static_cast<uint64_t>(options.megabytes) << 20U;
    const auto cache = std::make_shared<ChunkCache>(left);
    const auto keys =
        options.datasets.empty() ? all_datasets(content, options.file) : options.datasets;
    for (const auto& [key, name] : keys) {
      Hdf5Dataset dataset = content.dataset(name);
      const std::string what = options.file + ": dataset '" + name + "'";
      const ArrayForm form{dataset.type, dataset.shape, dataset.is_swapped, false,
                           kept_of_chunks(dataset, left)};
      opened.table.add({key, form, hdf5_rows(std::move(dataset), file, cache, what), what});
    }
  }
};

}  // namespace

const Schema<Hdf5Options>& Hdf5Options::schema() {
  using O = Hdf5Options;
  static const auto schema = [] {
    Schema<O> fields;
    fields
        .field(&O::file, "file",
               "The file, as h5py, Keras, MATLAB 7.3 or PyTables write it by default.", is_path(),
               required(), not_empty())
        .field(&O::datasets, "datasets",
               "A dataset for each key, {image: train/x, label: train/y}; a row of it is a sample. "
               "Left out: all, each with its path as its key, '/' written as '_'.");
    add_array_fields(fields);
    fields.field(&O::megabytes, "megabytes",
                 "The most memory that unpacked chunks may take. What does not fit is unpacked "
                 "again whenever it is read.",
                 at_least(1), at_most(1 << 20));
    return fields;
  }();
  return schema;
}

Choice<Source> hdf5(const Hdf5Options& options) { return choose<Source>("hdf5", options); }

void register_hdf5(Registry<Source>& registry) {
  registry.add<ArraySource<Hdf5Form>>("hdf5",
                                      "Rows of the datasets in an HDF5 file, .h5 or .hdf5.");
}

}  // namespace hearth::sources
