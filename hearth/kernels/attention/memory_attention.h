// Attention of new places of sequences to themselves and to the places before, which are
// remembered.
#pragma once

#include <cstdint>
#include <span>

#include "hearth/kernels/kernels.h"

namespace hearth {

// Keys and values of places, in rows of sequences. Sequence b of a batch has rows[b], of which
// places[b] places are known; new ones come after those.
struct KnownPlaces {
  at::Tensor keys;    // [rows, key heads, most places, size]
  at::Tensor values;  // the same, of a size of their own
  std::span<const int64_t> rows;
  std::span<const int64_t> places;
};

// As many for each sequence of the batch, all heads beside each other: [B, N, heads * size]. With
// fewer heads of keys and values than of queries, neighbouring heads share one.
struct NewPlaces {
  at::Tensor queries;
  at::Tensor keys;
  at::Tensor values;
  int64_t heads = 1;      // of the queries
  int64_t key_heads = 1;  // of keys and values; divides `heads`
};

// Writes the new keys and values behind the known ones, and gives what each new place sees of all
// places before it and of itself: [B, N, heads * value size]. Without gradients. What a sequence
// gets does not depend, to the bit, on the others of its batch.
[[nodiscard]] at::Tensor attention_to_memory(Kernels kernels, const NewPlaces& fresh,
                                             const KnownPlaces& known);

}  // namespace hearth
