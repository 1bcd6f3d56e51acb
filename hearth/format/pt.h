// Files of PyTorch's `torch.save`, .pt and .pth: tensors and plain containers of them. Nothing is
// executed, and nothing is read before it is asked for: the file is mapped.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "hearth/base/mapped_file.h"
#include "hearth/format/pt_tree.h"
#include "hearth/format/zip.h"

namespace hearth {

// Whether a file begins as one of torch.save's old form: a pickle of the magic number.
[[nodiscard]] bool is_legacy_pt(std::span<const std::byte> start);

class PtFile {
 public:
  // Of either form: the archive (since PyTorch 1.6), or the one before it. DataError says what is
  // damaged, or what the file wanted to execute.
  explicit PtFile(const std::filesystem::path& path);

  [[nodiscard]] const std::vector<PtTensor>& tensors() const { return tree_.tensors; }
  [[nodiscard]] const std::vector<PtStorage>& storages() const { return tree_.storages; }
  [[nodiscard]] const auto& values() const { return tree_.values; }
  [[nodiscard]] ArrayType type_of(const PtTensor& tensor) const {
    return tree_.storages[tensor.storage].type;
  }
  // Its numbers in the order of their indices: in the file, or in `room` when they lie otherwise
  // there. DataError when the archive's checksum of the storage does not fit. Not for two threads
  // at once.
  [[nodiscard]] std::span<const std::byte> bytes(const PtTensor& tensor,
                                                 std::vector<std::byte>& room) const;

 private:
  // Where a storage lies in the file, or in the archive.
  struct Place {
    uint64_t begin = 0;
    const ZipEntry* entry = nullptr;
    bool is_checked = false;
  };
  void open_archive();
  void open_legacy();
  void place_legacy_storages(const Pickle& keys, uint64_t at);
  [[nodiscard]] std::span<const std::byte> storage_bytes(size_t storage,
                                                         std::vector<std::byte>& room) const;
  void check(const PtStorage& storage, Place& place, std::span<const std::byte> bytes) const;

  MappedFile file_;
  PtTree tree_;
  std::vector<ZipEntry> entries_;
  mutable std::vector<Place> places_;
  bool is_swapped_ = false;
};

}  // namespace hearth
