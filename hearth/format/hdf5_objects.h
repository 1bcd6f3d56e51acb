// The objects of an HDF5 file: headers of messages, and the links from groups to others.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>

#include "hearth/format/hdf5_bytes.h"

namespace hearth {

enum class Hdf5MessageKind : uint16_t {
  kDataspace = 1,
  kLinkInfo = 2,
  kDatatype = 3,
  kFillValue = 5,
  kLink = 6,
  kExternalFiles = 7,
  kLayout = 8,
  kFilters = 11,
  kContinuation = 16,
  kSymbolTable = 17
};

// Where the file's superblock says that the root group is; sets the input's base.
[[nodiscard]] uint64_t find_hdf5_root(Hdf5Input& input);

// Every message of the object at an address.
void for_each_hdf5_message(const Hdf5Input& input, uint64_t address,
                           const std::function<void(Hdf5MessageKind, Hdf5Bytes)>& visit);

// The headers of all datasets below the group at `root`, by their paths.
[[nodiscard]] std::map<std::string, uint64_t> find_hdf5_datasets(const Hdf5Input& input,
                                                                 uint64_t root);

}  // namespace hearth
