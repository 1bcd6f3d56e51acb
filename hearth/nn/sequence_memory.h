// What layers remember of places of sequences that were computed before, so that only new places
// are. For people who write layers that look from one place of a sequence at others.
//
// A layer that treats every place alone needs nothing of it. One that looks back asks
// `SequenceMemory::current()`: null means that the input is whole sequences, as in training.
// Otherwise the input is the places after the remembered ones, and `attend` remembers and looks
// back; a layer that numbers places asks `place_numbers`. What belongs to no place, such as another
// text that all sequences look at, is given: layers of a description that read nothing else are
// computed once, apart from the memory. A model whose layers look at other places
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
  // Values [1, ...] that go into the model at every call beside the new places, for all sequences.
  void give(const std::vector<at::Tensor>& values);

  // For layers: attention of the new places to all before them and to themselves. A layer that is
  // called several times remembers each of its calls for itself.
  [[nodiscard]] at::Tensor attend(const Layer& layer, Kernels kernels, const NewPlaces& fresh);
  // The numbers of the new places, int64 [B, N], on the device of `like`.
  [[nodiscard]] at::Tensor place_numbers(const at::Tensor& like) const;
  [[nodiscard]] bool has_given() const { return !given_.empty(); }
  // Whether a value was given, or made of such values alone.
  [[nodiscard]] bool is_given(const at::Tensor& value) const;
  // A given value for every sequence of the call: [B, ...].
  [[nodiscard]] at::Tensor for_all(const at::Tensor& value) const;
  // What `maker` makes of given values by `work`; what it made is given too, and made only once.
  using Values = std::vector<at::Tensor>;
  [[nodiscard]] const Values& made_once(const void* maker, const Values& of,
                                        const std::function<Values()>& work);

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
  Values given_;
  std::map<std::vector<const void*>, Values> made_;  // by maker and given values
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
