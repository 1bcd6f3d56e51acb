// An op on a whole batch, run by the worker thread that finishes it: between samples and network,
// without LibTorch.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "hearth/core/random.h"
#include "hearth/core/spec.h"
#include "hearth/data/value.h"

namespace hearth {

// A key's values of a whole batch, to read: rows of one shape that lie behind each other, or each
// with a shape of its own.
class BatchView {
 public:
  BatchView() = default;
  BatchView(std::byte* data, std::span<const int64_t> shape, const Spec& spec, int64_t rows);
  BatchView(std::span<const RaggedValue> values, const Spec& spec)
      : spec_(&spec), rows_(static_cast<int64_t>(values.size())), ragged_(values.data()) {}

  [[nodiscard]] int64_t rows() const { return rows_; }
  [[nodiscard]] const Spec& spec() const { return *spec_; }
  [[nodiscard]] View row(int64_t row) const;
  // All rows, when they have one shape.
  template <class T>
  [[nodiscard]] std::span<T> as() const {
    return {reinterpret_cast<T*>(data_), static_cast<size_t>(rows_ * row_bytes_) / sizeof(T)};
  }

 private:
  std::byte* data_ = nullptr;
  std::span<const int64_t> shape_;
  const Spec* spec_ = nullptr;
  int64_t rows_ = 0;
  int64_t row_bytes_ = 0;
  const RaggedValue* ragged_ = nullptr;
};

// A place to write a key's values of a whole batch to: rows of one shape.
class BatchCell {
 public:
  BatchCell() = default;
  BatchCell(std::byte* data, const Spec& spec, int64_t rows)
      : data_(data), spec_(&spec), rows_(rows) {}
  // `room` is how many rows the value has memory for; those beyond `rows` are filled later.
  BatchCell(RaggedValue& whole, const Spec& spec, const Spec& whole_spec, int64_t rows,
            int64_t room)
      : spec_(&spec), rows_(rows), room_(room), whole_(&whole), whole_spec_(&whole_spec) {}

  [[nodiscard]] int64_t rows() const { return rows_; }
  [[nodiscard]] const Spec& spec() const { return *spec_; }
  // Room for rows of this shape, which may differ from batch to batch where the spec says so.
  BatchView take(std::span<const int64_t> row_shape) const;
  // Of values whose spec has a fixed shape.
  [[nodiscard]] BatchView view() const { return {data_, spec_->shape, *spec_, rows_}; }

 private:
  std::byte* data_ = nullptr;
  const Spec* spec_ = nullptr;
  int64_t rows_ = 0;
  int64_t room_ = 0;
  RaggedValue* whole_ = nullptr;
  const Spec* whole_spec_ = nullptr;
};

class BatchOp {
 public:
  virtual ~BatchOp() = default;
  [[nodiscard]] virtual std::vector<std::string> reads() const = 0;
  [[nodiscard]] virtual std::vector<std::string> writes() const = 0;
  // Specs of what it writes, from the specs of what it reads; GraphError says what does not fit. A
  // kAnyLength in what it writes stands for a length that all rows of a batch share.
  [[nodiscard]] virtual std::vector<Spec> infer(const std::vector<Spec>& inputs) const = 0;
  // An op that writes over its input in place gets the same memory for input k and output k, when
  // both have the same dtype and size.
  [[nodiscard]] virtual bool is_in_place() const { return false; }
  // `random` is keyed by seed, epoch, batch and this op. Called from many threads at once.
  virtual void run(Random& random, std::span<const BatchView> inputs,
                   std::span<const BatchCell> outputs) const = 0;
};

}  // namespace hearth
