// One sample's value of a key: to read as a View, to write through a Cell. A value of a fixed size
// lies in its row of the batch or in scratch memory; one whose size differs from sample to sample
// has memory of its own, which grows and is kept.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <memory>
#include <new>
#include <span>

#include "hearth/core/spec.h"

namespace hearth {

inline constexpr size_t kMostDimensions = 8;  // of a value that differs from sample to sample

// What the ragged values of a loader may take and do take.
struct RaggedMemory {
  int64_t most_bytes_per_value = int64_t{64} << 20;
  int64_t most_bytes = std::numeric_limits<int64_t>::max();  // of all values
  std::atomic<int64_t> held_bytes = 0;
};

// A value whose size differs from sample to sample.
class RaggedValue {
 public:
  explicit RaggedValue(RaggedMemory& memory) : memory_(&memory) {}
  RaggedValue(RaggedValue&&) noexcept;
  RaggedValue& operator=(RaggedValue&&) = delete;
  ~RaggedValue();
  void swap(RaggedValue& other) noexcept;  // of the same loader

  // Room for a value of this shape; what was there is lost. DataError when the shape does not fit
  // the spec, or needs more than a value may take.
  std::byte* take(std::span<const int64_t> shape, const Spec& spec);
  [[nodiscard]] std::byte* data() const { return bytes_.get(); }
  [[nodiscard]] std::span<const int64_t> shape() const { return {shape_.data(), dimensions_}; }

 private:
  struct Delete {
    void operator()(std::byte* bytes) const { ::operator delete (bytes, std::align_val_t{64}); }
  };
  void grow(int64_t bytes);

  RaggedMemory* memory_;
  std::unique_ptr<std::byte, Delete> bytes_;
  int64_t capacity_ = 0;
  std::array<int64_t, kMostDimensions> shape_{};
  size_t dimensions_ = 0;
};

// A value to read. Its shape is the spec's, with the lengths that differ filled in.
struct View {
  std::byte* data = nullptr;
  const Spec* spec = nullptr;
  std::span<const int64_t> shape = {};
  [[nodiscard]] size_t elements() const {
    size_t count = 1;
    for (const int64_t length : shape) count *= static_cast<size_t>(length);
    return count;
  }
  template <class T>
  [[nodiscard]] std::span<T> as() const {
    return {reinterpret_cast<T*>(data), elements()};
  }
};

// A place to write a value to.
class Cell {
 public:
  Cell() = default;  // nobody needs the value
  Cell(std::byte* memory, const Spec& spec) : memory_(memory), spec_(&spec) {}
  Cell(RaggedValue& value, const Spec& spec) : ragged_(&value), spec_(&spec) {}

  [[nodiscard]] bool is_wanted() const { return spec_ != nullptr; }
  [[nodiscard]] const Spec& spec() const { return *spec_; }
  // A value of a fixed size, or one that was taken.
  [[nodiscard]] View view() const {
    if (ragged_ == nullptr) return {memory_, spec_, spec_->shape};
    return {ragged_->data(), spec_, ragged_->shape()};
  }
  template <class T>
  [[nodiscard]] std::span<T> as() const {
    return view().as<T>();
  }
  template <class T>
  void set(T value) const {  // of a single number
    *reinterpret_cast<T*>(memory_) = value;
  }
  // Room for a value of this shape, whose size is known only now; the row itself when it is fixed.
  // DataError when the spec has another length.
  View take(std::span<const int64_t> shape) const;
  View take(std::initializer_list<int64_t> shape) const {
    return take(std::span(shape.begin(), shape.size()));
  }

 private:
  std::byte* memory_ = nullptr;
  RaggedValue* ragged_ = nullptr;
  const Spec* spec_ = nullptr;
};

}  // namespace hearth
