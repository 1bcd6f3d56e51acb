// Random-access data: what it yields, how much, and one sample at a time. Read from many threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "hearth/core/spec.h"

namespace hearth {

class Source {
 public:
  virtual ~Source() = default;
  // Opens files and reads headers, nothing more. Called once, before anything else.
  virtual void open() {}
  // The keys it yields, in the order in which `read` fills them.
  [[nodiscard]] virtual std::vector<KeySpec> keys() const = 0;
  [[nodiscard]] virtual int64_t size() const = 0;
  // Writes sample `index`: destinations[k] has room for keys()[k].spec.bytes() bytes, or is null
  // when nobody needs that key, which is then not decoded. Must be safe to call from many threads.
  virtual void read(int64_t index, std::span<std::byte* const> destinations) const = 0;
  // Changes when the data changes; a resumed run compares it.
  [[nodiscard]] virtual std::string fingerprint() const = 0;
  // How a message names a sample: "train.idx[17]".
  [[nodiscard]] virtual std::string describe(int64_t index) const = 0;
};

}  // namespace hearth
