// Rows of a batch that are no samples.
#include "hearth/data/filler_rows.h"

#include <algorithm>
#include <cstring>

#include "hearth/base/error.h"

namespace hearth {

namespace {

std::vector<int64_t> rows_without_sample(std::span<const Replacement> failed) {
  std::vector<int64_t> rows;
  for (const Replacement& each : failed)
    if (each.substitute == kNoSample) rows.push_back(each.row);
  std::sort(rows.begin(), rows.end());
  return rows;
}

int64_t bytes_of_row(const BatchBuffer& buffer, const BatchField& field) {
  if (field.place.kind == ValuePlace::Kind::kRow) return field.row_bytes;
  const RaggedValue& whole = buffer.wholes[static_cast<size_t>(field.place.at)];
  return elements_of(whole.shape().subspan(1)) * size_of(field.spec.dtype);
}

// Values of samples only: before batch ops.
void move_row(BatchBuffer& buffer, int64_t from, int64_t to) {
  buffer.samples[static_cast<size_t>(to)] = buffer.samples[static_cast<size_t>(from)];
  for (const BatchField& field : buffer.layout->plan->fields) {
    const auto at = static_cast<size_t>(field.place.at);
    if (field.place.kind == ValuePlace::Kind::kRaggedRow)
      buffer.ragged_row(at, to).swap(buffer.ragged_row(at, from));
    if (field.place.kind != ValuePlace::Kind::kRow) continue;
    std::byte* data = buffer.data(field.place);
    std::memcpy(data + to * field.row_bytes, data + from * field.row_bytes,
                static_cast<size_t>(field.row_bytes));
  }
}

// The reason of the first row that failed, whoever met it first.
[[noreturn]] void throw_empty_batch(const BatchBuffer& buffer,
                                    std::span<const Replacement> failed) {
  const Replacement* first = nullptr;
  for (const Replacement& each : failed)
    if (!each.reason.empty() && (first == nullptr || each.row < first->row)) first = &each;
  throw DataError(
      "not one sample of batch " + std::to_string(buffer.index) + " of epoch " +
      std::to_string(buffer.layout->epoch) + " is left to learn from: " +
      (first != nullptr ? first->reason : "all were filtered out. Widen the filter, or shuffle."));
}

void repeat_ragged_row(BatchBuffer& buffer, const BatchField& field, int64_t from, int64_t to) {
  const auto at = static_cast<size_t>(field.place.at);
  const RaggedValue& value = buffer.ragged_row(at, from);
  std::byte* copy = buffer.ragged_row(at, to).take(value.shape(), field.spec);
  std::memcpy(copy, value.data(),
              static_cast<size_t>(elements_of(value.shape()) * size_of(field.spec.dtype)));
}

}  // namespace

void remove_failed_rows(BatchBuffer& buffer, std::span<Replacement> failed) {
  if (failed.empty()) return;
  const std::vector<int64_t> gone = rows_without_sample(failed);
  const auto real = static_cast<int64_t>(buffer.samples.size());
  if (static_cast<int64_t>(gone.size()) == real) throw_empty_batch(buffer, failed);
  int64_t kept = 0;
  for (int64_t row = 0; row < real; ++row) {
    if (std::binary_search(gone.begin(), gone.end(), row)) continue;
    if (row != kept) move_row(buffer, row, kept);
    ++kept;
  }
  buffer.samples.resize(static_cast<size_t>(kept));
  for (Replacement& each : failed)
    if (each.substitute != kNoSample)
      each.row -= std::lower_bound(gone.begin(), gone.end(), each.row) - gone.begin();
}

void keep_rows(BatchBuffer& buffer, int64_t begin, int64_t end) {
  for (const BatchField& field : buffer.layout->plan->fields) {
    if (field.place.kind == ValuePlace::Kind::kRaggedRow) {
      const auto at = static_cast<size_t>(field.place.at);
      for (int64_t row = begin; row < end && begin > 0; ++row)
        buffer.ragged_row(at, row - begin).swap(buffer.ragged_row(at, row));
      continue;
    }
    std::byte* data = buffer.data(field.place);
    const int64_t bytes = bytes_of_row(buffer, field);
    std::memmove(data, data + begin * bytes, static_cast<size_t>((end - begin) * bytes));
  }
  buffer.samples.erase(buffer.samples.begin() + end, buffer.samples.end());
  buffer.samples.erase(buffer.samples.begin(), buffer.samples.begin() + begin);
}

void fill_up(BatchBuffer& buffer) {
  const auto real = static_cast<int64_t>(buffer.samples.size());
  if (real == buffer.rows) return;
  for (const BatchField& field : buffer.layout->plan->fields) {
    if (field.place.kind == ValuePlace::Kind::kRaggedRow) {
      for (int64_t row = real; row < buffer.rows; ++row)
        repeat_ragged_row(buffer, field, row % real, row);
      continue;
    }
    std::byte* data = buffer.data(field.place);
    const int64_t bytes = bytes_of_row(buffer, field);
    for (int64_t row = real; row < buffer.rows; ++row)
      std::memcpy(data + row * bytes, data + (row % real) * bytes, static_cast<size_t>(bytes));
  }
}

}  // namespace hearth
