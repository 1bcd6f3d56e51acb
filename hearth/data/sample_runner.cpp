// One sample through source and ops, on memory that was prepared beforehand.
#include "hearth/data/sample_runner.h"

#include <algorithm>
#include <cstring>

#include "hearth/base/text.h"
#include "hearth/data/sample_cache.h"

namespace hearth {

namespace {
constexpr size_t kScratchStart = 64;  // room to align the start of scratch memory

View copied(const View& from, const Cell& into) {
  const View copy = into.take(from.shape);
  std::memcpy(copy.data, from.data,
              from.elements() * static_cast<size_t>(size_of(from.spec->dtype)));
  return copy;
}
}  // namespace

void SampleRunner::bind(BatchBuffer& buffer) {
  buffer_ = &buffer;
  plan_ = buffer.layout->plan.get();
  const size_t wanted = static_cast<size_t>(plan_->scratch_bytes) + kScratchStart;
  if (scratch_.size() < wanted) scratch_.resize(wanted);
  const auto start = reinterpret_cast<uintptr_t>(scratch_.data());
  scratch_start_ = scratch_.data() + (kScratchStart - start % kScratchStart) % kScratchStart;
  while (static_cast<int64_t>(ragged_.size()) < plan_->ragged_values)
    ragged_.emplace_back(buffer.home->ragged_memory());
  source_cells_.resize(plan_->source_keys.size());
}

Cell SampleRunner::cell(const ValuePlace& place, const Spec& spec, int64_t row) {
  const auto at = static_cast<size_t>(place.at);
  switch (place.kind) {
    case ValuePlace::Kind::kRow:
      return {buffer_->memory.get() + buffer_->layout->field_offsets[at] +
                  row * plan_->fields[at].row_bytes,
              spec};
    case ValuePlace::Kind::kScratch:
      return {scratch_start_ + place.at, spec};
    case ValuePlace::Kind::kRagged:
      return {ragged_[at], spec};
    case ValuePlace::Kind::kRaggedRow:
      return {buffer_->ragged_row(at, row), spec};
    case ValuePlace::Kind::kWhole:
    case ValuePlace::Kind::kNowhere:
      break;
  }
  return {};
}

void SampleRunner::read(int64_t row, int64_t sample) {
  stage_ = -1;
  for (size_t k = 0; k < source_cells_.size(); ++k)
    source_cells_[k] = cell(plan_->source_keys[k], plan_->source_specs[k], row);
  plan_->source->read(sample, source_cells_);
}

void SampleRunner::run_step(size_t index, int64_t row, int64_t sample, uint64_t seed) {
  stage_ = static_cast<int>(index);
  const DataStep& step = plan_->steps[index];
  inputs_.resize(step.inputs.size());
  outputs_.resize(step.outputs.size());
  for (size_t k = 0; k < inputs_.size(); ++k)
    inputs_[k] = cell(step.inputs[k].place, step.inputs[k].spec, row).view();
  for (size_t k = 0; k < outputs_.size(); ++k)
    outputs_[k] = cell(step.outputs[k].place, step.outputs[k].spec, row);
  for (const size_t k : step.copies) inputs_[k] = copied(inputs_[k], outputs_[k]);
  Random random({.seed = seed,
                 .epoch = static_cast<uint32_t>(buffer_->layout->epoch),
                 .sample = static_cast<uint64_t>(sample),
                 .op = step.op_number});
  step.op->run(random, inputs_, outputs_);
}

void SampleRunner::run(int64_t row, int64_t sample, uint64_t seed) {
  size_t step = 0;
  if (plan_->cache)
    step = run_fixed_part(row, sample, seed);
  else
    read(row, sample);
  for (; step < plan_->steps.size(); ++step) run_step(step, row, sample, seed);
}

size_t SampleRunner::run_fixed_part(int64_t row, int64_t sample, uint64_t seed) {
  stage_ = -1;
  fixed_cells_.resize(plan_->fixed_values.size());
  for (size_t k = 0; k < fixed_cells_.size(); ++k)
    fixed_cells_[k] = cell(plan_->fixed_values[k].place, plan_->fixed_values[k].spec, row);
  if (plan_->cache->get(sample, fixed_cells_)) return plan_->fixed_steps;
  read(row, sample);
  for (size_t step = 0; step < plan_->fixed_steps; ++step) run_step(step, row, sample, seed);
  plan_->cache->put(sample, fixed_cells_);
  return plan_->fixed_steps;
}

std::string SampleRunner::stage() const {
  if (stage_ < 0) return "source";
  return "op " + quote(plan_->steps[static_cast<size_t>(stage_)].name);
}

}  // namespace hearth
