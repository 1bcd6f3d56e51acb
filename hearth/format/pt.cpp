// Reading tensors of a .pt file: whole ones where they lie, views number by number.
#include "hearth/format/pt.h"

#include <zlib.h>

#include <algorithm>
#include <cstring>

#include "hearth/base/error.h"
#include "hearth/base/text.h"

namespace hearth {

namespace {

constexpr uint64_t kMostUnpackedBytes = 16ULL << 30;

// Numbers of a view, in the order of its indices.
void gather_view(const PtTensor& tensor, uint64_t size, std::span<const std::byte> from,
                 std::span<std::byte> into) {
  std::vector<int64_t> index(tensor.shape.size(), 0);
  uint64_t at = tensor.offset;
  for (uint64_t done = 0; done < tensor.count; ++done) {
    std::memcpy(into.data() + done * size, from.data() + at * size, size);
    for (size_t i = index.size(); i-- > 0;) {
      const auto stride = static_cast<uint64_t>(tensor.strides[i]);
      if (++index[i] < tensor.shape[i]) {
        at += stride;
        break;
      }
      at -= stride * static_cast<uint64_t>(tensor.shape[i] - 1);
      index[i] = 0;
    }
  }
}

}  // namespace

PtFile::PtFile(const std::filesystem::path& path) : file_(path) {
  if (is_legacy_pt(file_.bytes()))
    open_legacy();
  else
    open_archive();
}

void PtFile::check(const PtStorage& storage, Place& place, std::span<const std::byte> bytes) const {
  const auto crc = crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size());
  if (static_cast<uint32_t>(crc) != place.entry->crc)
    throw DataError(file_.path().string() + ": storage " + quote(storage.key) +
                    " is damaged: its checksum does not fit. Get the file again.");
  place.is_checked = true;
}

std::span<const std::byte> PtFile::storage_bytes(size_t index, std::vector<std::byte>& room) const {
  const PtStorage& storage = tree_.storages[index];
  Place& place = places_[index];
  if (place.entry != nullptr && !place.entry->is_stored) {
    const std::string bytes =
        read_zip_entry(file_.handle(), file_.path(), *place.entry, kMostUnpackedBytes);
    room.resize(bytes.size());
    std::memcpy(room.data(), bytes.data(), bytes.size());
    return room;
  }
  const auto bytes = file_.part(place.begin, storage.bytes());
  if (place.entry != nullptr && !place.is_checked) check(storage, place, bytes);
  return bytes;
}

std::span<const std::byte> PtFile::bytes(const PtTensor& tensor,
                                         std::vector<std::byte>& room) const {
  if (tensor.count == 0) return {};
  std::vector<std::byte> unpacked;
  const auto storage = storage_bytes(tensor.storage, unpacked);
  const uint64_t size = size_of(type_of(tensor));
  const bool lies_in_file = unpacked.empty() && !is_swapped_;
  if (tensor.is_dense() && lies_in_file)
    return storage.subspan(tensor.offset * size, tensor.count * size);
  std::vector<std::byte> gathered(tensor.count * size);
  gather_view(tensor, size, storage, gathered);
  if (is_swapped_) swap_bytes(gathered, size);
  room = std::move(gathered);
  return room;
}

}  // namespace hearth
