// Safetensors, PyTorch's and NumPy's files as sources of weights.
#include "hearth/format/weight_sources.h"

#include <algorithm>
#include <cstring>

#include "hearth/base/error.h"
#include "hearth/base/mapped_file.h"
#include "hearth/base/text.h"
#include "hearth/format/array_names.h"
#include "hearth/format/npy.h"
#include "hearth/format/pt.h"
#include "hearth/format/safetensors.h"
#include "hearth/format/zip.h"

namespace hearth {

namespace {

constexpr uint64_t kMostArrayBytes = 16ULL << 30;

class SafetensorsWeights : public WeightSource {
 public:
  explicit SafetensorsWeights(const std::filesystem::path& path) : file_(path), mapped_(path) {}

  std::string format() const override { return "safetensors"; }
  std::vector<WeightEntry> entries() const override {
    std::vector<WeightEntry> entries;
    for (const TensorEntry& entry : file_.entries()) {
      const auto type = array_type_of_safetensors(entry.dtype);
      if (!type)
        throw DataError(file_.path().string() + ": tensor " + quote(entry.name) + " has dtype " +
                        entry.dtype + ", which Hearth does not read.");
      entries.push_back({entry.name, *type, entry.shape});
    }
    return entries;
  }
  std::map<std::string, nlohmann::json> values() const override {
    return {file_.metadata().begin(), file_.metadata().end()};
  }
  std::span<const std::byte> bytes(size_t index, std::vector<std::byte>& room) const override {
    (void)room;
    const TensorEntry& entry = file_.entries()[index];
    return mapped_.part(file_.data_begin() + entry.begin, entry.bytes());
  }

 private:
  SafetensorsFile file_;
  MappedFile mapped_;
};

class PtWeights : public WeightSource {
 public:
  explicit PtWeights(const std::filesystem::path& path) : file_(path) {}

  std::string format() const override { return "pt"; }
  std::vector<WeightEntry> entries() const override {
    std::vector<WeightEntry> entries;
    std::map<size_t, std::string> first;
    for (const PtTensor& tensor : file_.tensors()) {
      const auto [known, is_first] = first.emplace(tensor.storage, tensor.name);
      entries.push_back({tensor.name, file_.type_of(tensor), tensor.shape,
                         is_first || tensor.count == 0 ? "" : known->second});
    }
    return entries;
  }
  std::map<std::string, nlohmann::json> values() const override {
    return {file_.values().begin(), file_.values().end()};
  }
  std::span<const std::byte> bytes(size_t index, std::vector<std::byte>& room) const override {
    return file_.bytes(file_.tensors()[index], room);
  }

 private:
  PtFile file_;
};

class NpzWeights : public WeightSource {
 public:
  explicit NpzWeights(const std::filesystem::path& path) : file_(path) {
    for (ZipEntry& entry : read_zip_directory(file_.handle(), path)) {
      if (!entry.name.ends_with(".npy")) continue;
      const std::string name = entry.name.substr(0, entry.name.size() - 4);
      std::vector<std::byte> room;
      const auto all = array_bytes(entry, room);
      const auto start = all.first(std::min<uint64_t>(all.size(), kNpyHeaderLimitBytes));
      NpyHeader header =
          parse_npy_header({reinterpret_cast<const char*>(start.data()), start.size()}, entry.bytes,
                           path.string() + ": array " + quote(name));
      arrays_.push_back({name, std::move(entry), std::move(header)});
    }
  }

  std::string format() const override { return "npz"; }
  std::vector<WeightEntry> entries() const override {
    std::vector<WeightEntry> entries;
    for (const Array& array : arrays_)
      entries.push_back({array.name, array.header.type, array.header.shape});
    return entries;
  }
  std::span<const std::byte> bytes(size_t index, std::vector<std::byte>& room) const override {
    const Array& array = arrays_[index];
    const auto numbers =
        array_bytes(array.entry, room).subspan(array.header.data_begin, array.header.data_bytes());
    if (!array.header.is_swapped && !array.header.is_fortran) return numbers;
    std::vector<std::byte> own(numbers.begin(), numbers.end());
    const uint64_t size = size_of(array.header.type);
    if (array.header.is_swapped) swap_bytes(own, size);
    if (array.header.is_fortran) own = turned(own, array.header.shape, size);
    room = std::move(own);
    return room;
  }

 private:
  struct Array {
    std::string name;
    ZipEntry entry;
    NpyHeader header;
  };

  [[nodiscard]] std::span<const std::byte> array_bytes(const ZipEntry& entry,
                                                       std::vector<std::byte>& room) const {
    if (entry.is_stored) return file_.part(entry.data_begin, entry.bytes);
    const std::string bytes = read_zip_entry(file_.handle(), file_.path(), entry, kMostArrayBytes);
    room.resize(bytes.size());
    std::memcpy(room.data(), bytes.data(), bytes.size());
    return room;
  }

  // From the order in which the first index runs fastest to that in which the last does.
  static std::vector<std::byte> turned(const std::vector<std::byte>& from,
                                       const std::vector<int64_t>& shape, uint64_t size) {
    std::vector<std::byte> into(from.size());
    std::vector<int64_t> index(shape.size(), 0);
    for (uint64_t done = 0; done * size < from.size(); ++done) {
      uint64_t at = 0;
      for (size_t i = shape.size(); i-- > 0;)
        at = at * static_cast<uint64_t>(shape[i]) + static_cast<uint64_t>(index[i]);
      std::memcpy(into.data() + done * size, from.data() + at * size, size);
      for (size_t i = shape.size(); i-- > 0;) {
        if (++index[i] < shape[i]) break;
        index[i] = 0;
      }
    }
    return into;
  }

  MappedFile file_;
  std::vector<Array> arrays_;
};

}  // namespace

std::unique_ptr<WeightSource> safetensors_weights(const std::filesystem::path& path) {
  return std::make_unique<SafetensorsWeights>(path);
}
std::unique_ptr<WeightSource> pt_weights(const std::filesystem::path& path) {
  return std::make_unique<PtWeights>(path);
}
std::unique_ptr<WeightSource> npz_weights(const std::filesystem::path& path) {
  return std::make_unique<NpzWeights>(path);
}

}  // namespace hearth
