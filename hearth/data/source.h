// Random-access data: what it yields, how much, and one sample at a time. Read from many threads.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "hearth/core/spec.h"
#include "hearth/data/value.h"

namespace hearth {

class Source {
 public:
  virtual ~Source() = default;
  // Opens files and reads headers, nothing more. Called once, before anything else.
  virtual void open() {}
  // The keys it yields, in the order in which `read` fills them.
  [[nodiscard]] virtual std::vector<KeySpec> keys() const = 0;
  [[nodiscard]] virtual int64_t size() const = 0;
  // Writes sample `index`: cells[k] takes the value of keys()[k]. One that is not wanted needs not
  // be decoded. Must be safe to call from many threads.
  virtual void read(int64_t index, std::span<const Cell> cells) const = 0;
  // Of what was opened, whatever lies under its name by now; a resumed run compares it. Asked for
  // once, beside the training: it may take its time, and runs at the same time as `read`.
  [[nodiscard]] virtual std::string fingerprint() const = 0;
  // What it keeps in memory as long as it is open: parsed rows, indices, whatever is not small.
  // What is mapped from files counts nothing.
  [[nodiscard]] virtual uint64_t resident_bytes() const { return 0; }
  // How a message names a sample: "train.idx[17]".
  [[nodiscard]] virtual std::string describe(int64_t index) const = 0;
};

}  // namespace hearth
