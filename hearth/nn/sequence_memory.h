// What layers remember of places of sequences that were computed before, so that only new places
// are. For people who write layers that look from one place of a sequence at others.
//
// A layer that treats every place alone needs nothing of it. One that looks back asks
// `SequenceMemory::current()`: null means that the input is whole sequences, as in training.
// Otherwise the input is the places after the remembered ones, and `attend` remembers and looks
// back; a layer that numbers places asks `place_numbers`. A model whose layers look at other places
// in any other way cannot be computed so; hearth/train tries that before it relies on it.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <vector>

#include <ATen/core/Tensor.h>

#include "hearth/kernels/attention/memory_attention.h"

namespace hearth {

class Layer;

// One belongs to one thread at a time; layers keep nothing of it.
class SequenceMemory {
 public:
  // Of so many sequences, of at most so many places each.
  SequenceMemory(int64_t sequences, int64_t most_places);

  // That of the call which this thread is in; null for none.
  [[nodiscard]] static SequenceMemory* current();

  // Runs `work`, which calls a model with `count` new places for each of these sequences, in this
  // order. They are remembered when it is done.
  void remember(std::vector<int64_t> sequences, int64_t count, const std::function<void()>& work);
  // Places that a sequence has by now.
  [[nodiscard]] int64_t places(int64_t sequence) const {
    return places_[static_cast<size_t>(sequence)];
  }
  void forget(int64_t sequence) { places_[static_cast<size_t>(sequence)] = 0; }
  // Sequence `to` becomes what `from` is.
  void copy(int64_t from, int64_t to);

  // For layers: attention of the new places to all before them and to themselves. A layer that is
  // called several times remembers each of its calls for itself.
  [[nodiscard]] at::Tensor attend(const Layer& layer, Kernels kernels, const NewPlaces& fresh);
  // The numbers of the new places, int64 [B, N], on the device of `like`.
  [[nodiscard]] at::Tensor place_numbers(const at::Tensor& like) const;

 private:
  struct Kept {
    at::Tensor keys;
    at::Tensor values;
  };
  struct Calls {
    std::vector<Kept> kept;
    size_t next = 0;  // of the calls of this pass
  };
  [[nodiscard]] Kept& kept_of(const Layer& layer, const NewPlaces& fresh);
  [[nodiscard]] at::Tensor empty_places(const at::Tensor& fresh, int64_t heads) const;
  void check_new_places(const at::Tensor& fresh) const;

  int64_t most_places_;
  std::vector<int64_t> places_;  // by sequence
  std::map<const Layer*, Calls> calls_;
  // Of the pass that runs.
  std::vector<int64_t> sequences_;
  std::vector<int64_t> known_;  // places of each of them
  int64_t count_ = 0;
};

// Numbers of the places of sequences [B, N, ...]: int64 [N] from 0 on, or those after what is
// remembered of each sequence, [B, N].
[[nodiscard]] at::Tensor place_numbers(const at::Tensor& sequences);

// For layers that know only so many places.
class PlaceLimit {
 public:
  virtual ~PlaceLimit() = default;
  [[nodiscard]] virtual int64_t most_places() const = 0;
};

}  // namespace hearth
