// One sample through source and ops, on memory that was prepared beforehand.
#include "hearth/data/sample_runner.h"

#include <algorithm>
#include <cstring>

#include "hearth/base/text.h"

namespace hearth {

namespace {
constexpr size_t kScratchStart = 64;  // room to align the start of scratch memory
}

void SampleRunner::bind(BatchSlot& slot) {
  slot_ = &slot;
  plan_ = slot.layout->plan.get();
  const size_t wanted = static_cast<size_t>(plan_->scratch_bytes) + kScratchStart;
  if (scratch_.size() < wanted) scratch_.resize(wanted);
  destinations_.resize(plan_->source_keys.size());
}

std::byte* SampleRunner::address(const ValuePlace& place, int64_t row) const {
  if (place.field >= 0) {
    const auto field = static_cast<size_t>(place.field);
    return slot_->memory.get() + slot_->layout->field_offsets[field] +
           row * plan_->fields[field].row_bytes;
  }
  if (place.scratch_offset < 0) return nullptr;
  const auto start = reinterpret_cast<uintptr_t>(scratch_.data());
  const size_t shift = (kScratchStart - start % kScratchStart) % kScratchStart;
  return const_cast<std::byte*>(scratch_.data()) + shift + place.scratch_offset;
}

void SampleRunner::fill(std::vector<View>& views, const std::vector<DataStep::Operand>& operands,
                        int64_t row) {
  views.resize(operands.size());
  for (size_t k = 0; k < operands.size(); ++k)
    views[k] = {address(operands[k].place, row), &operands[k].spec};
}

void SampleRunner::read(int64_t row, int64_t sample) {
  stage_ = -1;
  for (size_t k = 0; k < destinations_.size(); ++k)
    destinations_[k] = address(plan_->source_keys[k], row);
  plan_->source->read(sample, destinations_);
}

void SampleRunner::run_step(size_t index, int64_t row, int64_t sample, uint64_t seed) {
  stage_ = static_cast<int>(index);
  const DataStep& step = plan_->steps[index];
  fill(inputs_, step.inputs, row);
  fill(outputs_, step.outputs, row);
  for (const DataStep::Copy& copy : step.copies) {
    std::memcpy(outputs_[copy.operand].data, inputs_[copy.operand].data,
                static_cast<size_t>(copy.bytes));
    inputs_[copy.operand].data = outputs_[copy.operand].data;
  }
  Random random({.seed = seed,
                 .epoch = static_cast<uint32_t>(slot_->layout->epoch),
                 .sample = static_cast<uint64_t>(sample),
                 .op = step.op_number});
  step.op->run(random, inputs_, outputs_);
}

void SampleRunner::run(int64_t row, int64_t sample, uint64_t seed) {
  read(row, sample);
  for (size_t step = 0; step < plan_->steps.size(); ++step) run_step(step, row, sample, seed);
}

std::string SampleRunner::stage() const {
  if (stage_ < 0) return "source";
  return "op " + quote(plan_->steps[static_cast<size_t>(stage_)].name);
}

}  // namespace hearth
