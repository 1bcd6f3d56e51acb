// What losses ask of their inputs before any data is read. Each throws GraphError, which says what
// does not fit and what to do.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "hearth/core/spec.h"

namespace hearth {

// The shape without dimensions of one number: [B, 1] beside [B].
[[nodiscard]] std::vector<int64_t> without_ones(std::span<const int64_t> shape);

// Floats for each sample: what a model call writes.
void check_floats(const KeySpec& key);
// A point for each sample: float [B, F].
void check_points(const KeySpec& points);
// A class number for each sample: int64 [B]. For losses of who belongs to whom, of which shares of
// classes say nothing.
void check_class_numbers(const KeySpec& classes);
// The same with a known number of classes, or a share for each class: float [B, classes].
void check_known_classes(const KeySpec& classes);
// Two keys of points of one size, and perhaps a third that says which belong together.
void check_point_pairs(std::span<const KeySpec> inputs);
// All of one shape.
void check_alike(std::span<const KeySpec> keys, const std::string& cure);
// A true number for each predicted one, which are floats; the shape of a sample's losses.
[[nodiscard]] std::vector<int64_t> check_numbers(const KeySpec& predicted, const KeySpec& truth);
// A score for each answer of yes or no, and the answers; the shape of a sample's losses.
[[nodiscard]] std::vector<int64_t> check_answers(const KeySpec& scores, const KeySpec& answers);
// Scores [B, classes, ...] beside class numbers [B, ...] or soft labels, a share for each class;
// the shape of a sample's losses.
[[nodiscard]] std::vector<int64_t> check_classes(const KeySpec& scores, const KeySpec& labels);
// As many numbers as there are classes, or none.
void check_class_count(const std::string& option, size_t numbers, const KeySpec& scores);

}  // namespace hearth
