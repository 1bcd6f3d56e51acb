// What layers remember of places of sequences that were computed before.
#include "hearth/nn/sequence_memory.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/empty.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "hearth/base/error.h"
#include "hearth/nn/layer.h"
#include "hearth/tensor/convert.h"

namespace hearth {
namespace {

// Of each thread for itself: several may call one model at once, each with a memory of its own.
thread_local SequenceMemory* current_memory = nullptr;

class CurrentMemory {
 public:
  explicit CurrentMemory(SequenceMemory* memory) : before_(std::exchange(current_memory, memory)) {}
  ~CurrentMemory() { current_memory = before_; }
  CurrentMemory(const CurrentMemory&) = delete;
  CurrentMemory& operator=(const CurrentMemory&) = delete;

 private:
  SequenceMemory* before_;
};

}  // namespace

SequenceMemory::SequenceMemory(int64_t sequences, int64_t most_places)
    : most_places_(most_places), places_(static_cast<size_t>(sequences)) {}

SequenceMemory* SequenceMemory::current() { return current_memory; }

void SequenceMemory::remember(std::vector<int64_t> sequences, int64_t count,
                              const std::function<void()>& work) {
  sequences_ = std::move(sequences);
  count_ = count;
  known_.clear();
  for (const int64_t sequence : sequences_) {
    if (places(sequence) + count > most_places_)
      throw InternalError("a sequence has " + std::to_string(places(sequence)) + " places and " +
                          std::to_string(count) + " new ones, but the memory is for " +
                          std::to_string(most_places_) + ".");
    known_.push_back(places(sequence));
  }
  for (auto& [layer, calls] : calls_) calls.next = 0;
  {
    const CurrentMemory current(this);
    work();
  }
  for (const int64_t sequence : sequences_) places_[static_cast<size_t>(sequence)] += count;
}

void SequenceMemory::copy(int64_t from, int64_t to) {
  const int64_t count = places(from);
  places_[static_cast<size_t>(to)] = count;
  for (auto& [layer, calls] : calls_)
    for (Kept& kept : calls.kept)
      for (const at::Tensor& memory : {kept.keys, kept.values})
        memory[to].narrow(1, 0, count).copy_(memory[from].narrow(1, 0, count));
}

void SequenceMemory::give(const std::vector<at::Tensor>& values) {
  given_ = values;
  made_.clear();
}

bool SequenceMemory::is_given(const at::Tensor& value) const {
  return std::ranges::any_of(given_, [&](const at::Tensor& known) { return known.is_same(value); });
}

at::Tensor SequenceMemory::for_all(const at::Tensor& value) const {
  const auto batch = static_cast<int64_t>(sequences_.size());
  if (batch == 1) return value;
  std::vector<int64_t> sizes = value.sizes().vec();
  sizes.front() = batch;
  return value.expand(sizes);
}

const SequenceMemory::Values& SequenceMemory::made_once(const void* maker, const Values& of,
                                                        const std::function<Values()>& work) {
  std::vector<const void*> key = {maker};
  for (const at::Tensor& value : of) key.push_back(value.unsafeGetTensorImpl());
  const auto known = made_.find(key);
  if (known != made_.end()) return known->second;
  const CurrentMemory none(nullptr);
  const Values& values = made_.emplace(std::move(key), work()).first->second;
  std::ranges::copy_if(values, std::back_inserter(given_),
                       [](const at::Tensor& value) { return value.defined(); });
  return values;
}

at::Tensor SequenceMemory::attend(const Layer& layer, Kernels kernels, const NewPlaces& fresh) {
  check_new_places(fresh.queries);
  const Kept& kept = kept_of(layer, fresh);
  return attention_to_memory(kernels, fresh, {kept.keys, kept.values, sequences_, known_});
}

SequenceMemory::Kept& SequenceMemory::kept_of(const Layer& layer, const NewPlaces& fresh) {
  Calls& calls = calls_[&layer];
  if (calls.next == calls.kept.size())
    calls.kept.push_back(
        {empty_places(fresh.keys, fresh.key_heads), empty_places(fresh.values, fresh.key_heads)});
  return calls.kept[calls.next++];
}

at::Tensor SequenceMemory::empty_places(const at::Tensor& fresh, int64_t heads) const {
  return at::empty(
      {static_cast<int64_t>(places_.size()), heads, most_places_, fresh.size(2) / heads},
      fresh.options());
}

// A layer before this one may have made fewer places or sequences of them.
void SequenceMemory::check_new_places(const at::Tensor& fresh) const {
  const auto batch = static_cast<int64_t>(sequences_.size());
  if (fresh.dim() == 3 && fresh.size(0) == batch && fresh.size(1) == count_) return;
  throw GraphError("expected " + std::to_string(count_) + " new places of " +
                   std::to_string(batch) + " sequences, but got " + describe(fresh) + ".");
}

at::Tensor SequenceMemory::place_numbers(const at::Tensor& like) const {
  const at::Tensor numbers =
      at::empty({static_cast<int64_t>(sequences_.size()), count_}, at::kLong);
  auto rows = numbers.accessor<int64_t, 2>();
  for (int64_t b = 0; b < numbers.size(0); ++b)
    for (int64_t n = 0; n < count_; ++n) rows[b][n] = known_[static_cast<size_t>(b)] + n;
  return numbers.to(like.device());
}

at::Tensor place_numbers(const at::Tensor& sequences) {
  const SequenceMemory* memory = SequenceMemory::current();
  if (memory != nullptr) return memory->place_numbers(sequences);
  return at::arange(sequences.size(1), sequences.options().dtype(at::kLong));
}

}  // namespace hearth
