// What losses ask of their inputs before any data is read.
#include "hearth/network/losses/loss_checks.h"

#include <algorithm>

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/tensor/class_scores.h"

namespace hearth {
namespace {

bool fits(int64_t left, int64_t right) {
  return left == right || left == kAnyLength || right == kAnyLength;
}

bool fits(std::span<const int64_t> left, std::span<const int64_t> right) {
  return std::equal(left.begin(), left.end(), right.begin(), right.end(),
                    [](int64_t one, int64_t other) { return fits(one, other); });
}

bool fits_without_ones(const Spec& left, const Spec& right) {
  return left.is_per_batch == right.is_per_batch &&
         fits(without_ones(left.shape), without_ones(right.shape));
}

std::string both(const KeySpec& left, const KeySpec& right) {
  return quote(left.key) + " is " + left.spec.text() + " and " + quote(right.key) + " is " +
         right.spec.text();
}

}  // namespace

std::vector<int64_t> without_ones(std::span<const int64_t> shape) {
  std::vector<int64_t> lengths;
  std::copy_if(shape.begin(), shape.end(), std::back_inserter(lengths),
               [](int64_t length) { return length != 1; });
  return lengths;
}

void check_floats(const KeySpec& key) {
  if (!is_floating(key.spec.dtype) || key.spec.is_per_batch)
    throw GraphError("needs predicted numbers, float [B, ...], in " + quote(key.key) +
                     ", but it is " + key.spec.text() + ". Name the key a model call writes.");
}

void check_points(const KeySpec& points) {
  if (!is_floating(points.spec.dtype) || points.spec.is_per_batch || points.spec.shape.size() != 1)
    throw GraphError("needs a point for each sample, float [B, F], in " + quote(points.key) +
                     ", but it is " + points.spec.text() +
                     ". Name a key that a model call writes.");
}

void check_class_numbers(const KeySpec& classes) {
  if (are_soft_labels(classes.spec))
    throw GraphError("needs a class number for each sample in " + quote(classes.key) +
                     ", but it is " + classes.spec.text() +
                     ", shares of classes, which do not say who belongs to whom. Leave out what "
                     "blends labels, such as mixup, or use a loss that weighs them, such as "
                     "cross_entropy.");
  if (classes.spec.dtype != DType::kInt64 || classes.spec.is_per_batch ||
      !classes.spec.shape.empty())
    throw GraphError("needs a class number for each sample in " + quote(classes.key) +
                     ", but it is " + classes.spec.text() + ". Name the key of the labels.");
}

void check_known_classes(const KeySpec& classes) {
  if (are_soft_labels(classes.spec) && classes.spec.shape.size() == 1) return;
  check_class_numbers(classes);
  if (classes.spec.classes == 0)
    throw GraphError("needs a class number for each sample in " + quote(classes.key) +
                     ", but it is " + classes.spec.text() + ". Name the key of the labels.");
}

void check_point_pairs(std::span<const KeySpec> inputs) {
  check_points(inputs[0]);
  check_points(inputs[1]);
  check_alike(inputs.first(2), "Let one model make both.");
  if (inputs.size() < 3) return;
  const Spec& together = inputs[2].spec;
  if (together.is_per_batch || !without_ones(together.shape).empty())
    throw GraphError("needs yes or no for each pair, [B], in " + quote(inputs[2].key) +
                     ", but it is " + together.text() +
                     ". Name a key with 1 where both belong together.");
}

void check_alike(std::span<const KeySpec> keys, const std::string& cure) {
  for (const KeySpec& key : keys)
    if (!fits(key.spec.shape, keys[0].spec.shape))
      throw GraphError("needs values of one shape, but " + both(keys[0], key) + ". " + cure);
}

std::vector<int64_t> check_numbers(const KeySpec& predicted, const KeySpec& truth) {
  if (!is_floating(predicted.spec.dtype))
    throw GraphError("needs predicted numbers, float [B, ...], in " + quote(predicted.key) +
                     ", but it is " + predicted.spec.text() +
                     ". Name the key a model call writes.");
  if (truth.spec.role == Role::kClass && !is_floating(truth.spec.dtype))
    throw GraphError("needs numbers in " + quote(truth.key) + ", but it holds classes, " +
                     truth.spec.text() + ", whose differences mean nothing. Use cross_entropy.");
  if (!fits_without_ones(predicted.spec, truth.spec))
    throw GraphError("needs a true number for each predicted one, but " + both(predicted, truth) +
                     ". Give the last layer as many values as the target has.");
  return predicted.spec.shape;
}

std::vector<int64_t> check_answers(const KeySpec& scores, const KeySpec& answers) {
  check_floats(scores);
  const Spec& answer = answers.spec;
  if (!is_floating(answer.dtype) && answer.classes > 2)
    throw GraphError("needs yes or no in " + quote(answers.key) + ", but it has " +
                     std::to_string(answer.classes) +
                     " classes. Use cross_entropy, or form: classes where the loss has it.");
  if (!fits_without_ones(scores.spec, answer))
    throw GraphError("needs an answer for each score, but " + both(scores, answers) +
                     ". Give the last layer one value for each answer; two classes need one.");
  return scores.spec.shape;
}

std::vector<int64_t> check_classes(const KeySpec& scores, const KeySpec& labels) {
  check_class_scores(scores, labels);
  return {scores.spec.shape.begin() + 1, scores.spec.shape.end()};
}

void check_class_count(const std::string& option, size_t numbers, const KeySpec& scores) {
  const int64_t classes = scores.spec.shape.front();
  if (numbers == 0 || static_cast<int64_t>(numbers) == classes) return;
  throw GraphError(option + " has " + std::to_string(numbers) + " numbers, but " +
                   quote(scores.key) + " scores " + std::to_string(classes) +
                   " classes. Give one for each class.");
}

}  // namespace hearth
