// How attention knows of places: turns, penalties and windows by their numbers.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <optional>

namespace hearth {

// Rotary embedding of queries or keys [B, T, heads * size], `size` even: the two halves of a head
// are the coordinates of points, each turned by the place's number times a speed of its own.
[[nodiscard]] at::Tensor turned_by_place(const at::Tensor& value, int64_t heads, double base);

// ALiBi: minus the distance of a query from a key, times a slope for each head: [heads, T, S].
[[nodiscard]] at::Tensor distance_penalty(const at::Tensor& queries, const at::Tensor& keys,
                                          int64_t heads);

// [T, S]: true for keys that are `window` places away or more.
[[nodiscard]] at::Tensor beyond_window(const at::Tensor& queries, const at::Tensor& keys,
                                       int64_t window);

// How many pairs of a query's place and a key's are looked at, of so many places each.
[[nodiscard]] double seen_pairs(int64_t queries, int64_t keys, bool is_causal,
                                std::optional<int64_t> window = {});

// Keys or values [B, S, few * size] with each head as often as its group has heads: [B, S, heads *
// size].
[[nodiscard]] at::Tensor shared_heads(const at::Tensor& value, int64_t few, int64_t heads);

}  // namespace hearth
