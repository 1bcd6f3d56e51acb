// Batch ops, one after another, on a batch whose samples are made.
#include "hearth/data/batch_finisher.h"

#include <array>
#include <cstring>

#include "hearth/base/error.h"
#include "hearth/base/text.h"

namespace hearth {

namespace {

BatchView view_of(BatchBuffer& buffer, const DataStep::Operand& operand) {
  const ValuePlace& place = operand.place;
  const auto at = static_cast<size_t>(place.at);
  if (place.kind == ValuePlace::Kind::kRaggedRow) return {buffer.column(at), operand.spec};
  const auto rows = static_cast<int64_t>(buffer.samples.size());
  if (place.kind == ValuePlace::Kind::kWhole)
    return {buffer.data(place), buffer.wholes[at].shape().subspan(1), operand.spec, rows};
  return {buffer.data(place), operand.spec.shape, operand.spec, rows};
}

BatchCell cell_of(BatchBuffer& buffer, const DataStep::Operand& operand) {
  const auto rows = static_cast<int64_t>(buffer.samples.size());
  if (operand.place.kind != ValuePlace::Kind::kWhole)
    return {buffer.data(operand.place), operand.spec, rows};
  RaggedValue& whole = buffer.wholes[static_cast<size_t>(operand.place.at)];
  if (operand.spec.is_ragged()) return {whole, operand.spec, operand.whole_spec, rows, buffer.rows};
  // Of a fixed size, and nobody needs it.
  std::array<int64_t, kMostDimensions> shape{rows};
  std::copy(operand.spec.shape.begin(), operand.spec.shape.end(), shape.begin() + 1);
  return {whole.take(std::span(shape).first(operand.whole_spec.shape.size()), operand.whole_spec),
          operand.spec, rows};
}

BatchView copied(const BatchView& from, const BatchCell& into) {
  const BatchView copy = into.take(from.spec().shape);
  const auto bytes = from.as<std::byte>();
  std::memcpy(copy.as<std::byte>().data(), bytes.data(), bytes.size());
  return copy;
}

}  // namespace

void BatchFinisher::run_step(const DataStep& step, BatchBuffer& buffer, uint64_t seed) {
  inputs_.clear();
  outputs_.clear();
  for (const DataStep::Operand& operand : step.inputs) inputs_.push_back(view_of(buffer, operand));
  for (const DataStep::Operand& operand : step.outputs)
    outputs_.push_back(cell_of(buffer, operand));
  for (const size_t k : step.copies) inputs_[k] = copied(inputs_[k], outputs_[k]);
  Random random({.seed = seed,
                 .epoch = static_cast<uint32_t>(buffer.layout->epoch),
                 .sample = static_cast<uint64_t>(buffer.index),
                 .op = step.op_number});
  step.batch_op->run(random, inputs_, outputs_);
}

void BatchFinisher::run(BatchBuffer& buffer, uint64_t seed, const std::string& loader) {
  for (const DataStep& step : buffer.layout->plan->batch_steps) {
    try {
      run_step(step, buffer, seed);
    } catch (const std::exception& error) {
      throw DataError("data error at " + loader + ", batch " + std::to_string(buffer.index) +
                      " of epoch " + std::to_string(buffer.layout->epoch) + ": op " +
                      quote(step.name) + ": " + error.what());
    }
  }
}

}  // namespace hearth
