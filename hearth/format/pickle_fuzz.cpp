// Fuzzes pickles by the rules of torch.save's files: the machine, then what it says about tensors.
#include <cstdlib>

#include "hearth/base/error.h"
#include "hearth/format/pt_tree.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::span bytes(reinterpret_cast<const std::byte*>(data), size);
  try {
    const hearth::Pickle pickle = hearth::read_pickle(bytes, "fuzz", hearth::pt_pickle_rules());
    if (pickle.bytes > size || pickle.values.size() > size + 3) std::abort();
    (void)hearth::read_pt_tree(pickle, "fuzz");
  } catch (const hearth::DataError&) {
  }
  return 0;
}
