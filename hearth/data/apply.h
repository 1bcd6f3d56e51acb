// Sample ops on plain values, outside of any pipeline: to try them, and to use them on their own.
#pragma once

#include <cstdint>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "hearth/config/choice.h"
#include "hearth/core/random.h"
#include "hearth/core/spec.h"
#include "hearth/data/sample_op.h"
#include "hearth/data/value.h"
#include "hearth/format/image.h"

namespace hearth {

// A value with memory of its own.
struct SampleValue {
  Spec spec;
  std::vector<int64_t> shape = {};  // the spec's, with the lengths that differ filled in
  std::vector<std::byte> bytes = {};

  SampleValue() = default;
  // InternalError when there are more or fewer values than the shape has.
  template <class T>
  SampleValue(Spec of, std::vector<int64_t> lengths, const std::vector<T>& values)
      : spec(std::move(of)), shape(std::move(lengths)), bytes(values.size() * sizeof(T)) {
    if (!bytes.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
    check();
  }
  template <class T>
  SampleValue(Spec of, const std::vector<T>& values) : SampleValue(of, of.shape, values) {}
  // A picture, as decode gives it.
  SampleValue(const Image& image);  // NOLINT: implicit, so that apply takes pictures

  [[nodiscard]] View view() { return {bytes.data(), &spec, shape}; }
  template <class T>
  [[nodiscard]] std::vector<T> values() const {
    std::vector<T> copied(bytes.size() / sizeof(T));
    if (!bytes.empty()) std::memcpy(copied.data(), bytes.data(), copied.size() * sizeof(T));
    return copied;
  }
  [[nodiscard]] Image image() const;  // InternalError unless it is an image of bytes

 private:
  void check() const;
};

using Sample = std::map<std::string, SampleValue>;

// What the ops make of a sample, as they would in a run whose seed, epoch and sample `identity`
// names; its op is found from the ops. GraphError for a key that is not there or does not fit.
[[nodiscard]] Sample apply(const std::vector<Choice<SampleOp>>& ops, Sample sample,
                           const RandomIdentity& identity = {});
// The same for an op that reads one key and writes one.
[[nodiscard]] SampleValue apply(const Choice<SampleOp>& op, SampleValue value,
                                const RandomIdentity& identity = {});
// Runs a single op on what it reads, in its order; gives what it writes.
[[nodiscard]] std::vector<SampleValue> apply(const SampleOp& op, std::vector<SampleValue> inputs,
                                             Random& random);

}  // namespace hearth
