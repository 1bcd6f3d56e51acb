// The loss of a classifier: the mean of -log softmax(scores)[label].
#include "hearth/kernels/loss/cross_entropy.h"

#include <ATen/Parallel.h>
#include <ATen/core/Reduction.h>
#include <ATen/ops/cross_entropy_loss.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <torch/csrc/autograd/custom_function.h>

#include <algorithm>
#include <cmath>

#include "hearth/kernels/attention/attention_passes.h"
#include "hearth/kernels/second_order.h"
#include "hearth/tensor/class_scores.h"

namespace hearth {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

constexpr int64_t kClassLossGrain = 8192;  // scores worth a thread

// One row a label. Forward computes the gradient too: it is the softmax, which is there anyway.
struct ClassLossFunction : torch::autograd::Function<ClassLossFunction> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& scores,
                            const at::Tensor& labels) {
    const int64_t rows = scores.size(0);
    const int64_t classes = scores.size(1);
    const auto* label = labels.data_ptr<int64_t>();
    const int64_t counted = rows - std::count(label, label + rows, kIgnoredLabel);
    const float share = 1 / static_cast<float>(counted);
    const at::Tensor gradient = at::empty_like(scores);
    std::vector<double> losses(static_cast<size_t>(rows));
    const int64_t grain = std::max<int64_t>(1, kClassLossGrain / classes);
    at::parallel_for(0, rows, grain, [&](int64_t from, int64_t to) {
      for (int64_t row = from; row < to; ++row) {
        losses[static_cast<size_t>(row)] =
            row_loss(scores.data_ptr<float>() + row * classes, label[row], classes, share,
                     gradient.data_ptr<float>() + row * classes);
      }
    });
    double sum = 0;
    for (const double loss : losses) sum += loss;
    const at::Tensor loss = at::empty({}, scores.options());
    *loss.data_ptr<float>() = static_cast<float>(sum / static_cast<double>(counted));
    context->save_for_backward({gradient});
    return loss;
  }

  static variable_list backward(AutogradContext* context, const variable_list& gradients) {
    refuse_second_order();
    const at::Tensor gradient = context->get_saved_variables()[0];
    const float factor = *gradients[0].data_ptr<float>();
    return {factor == 1 ? gradient : gradient.mul(factor), at::Tensor()};
  }

 private:
  static double row_loss(const float* scores, int64_t label, int64_t classes, float share,
                         float* gradient) {
    std::copy(scores, scores + classes, gradient);
    // A row that does not count has no share, but what is not a number shows in its gradient.
    const bool counts = label != kIgnoredLabel;
    const ExpSum all = attention_passes().fine_softmax(gradient, classes, counts ? share : 0);
    if (!counts) return 0;
    gradient[label] -= share;
    return static_cast<double>(all.largest) - scores[label] + std::log(all.sum);
  }
};

// [B, classes, ...] as one row of scores for each label; undefined when that would need a copy.
at::Tensor score_rows(const at::Tensor& scores) {
  if (scores.dim() == 2) return scores.contiguous();
  const at::Tensor places = scores.movedim(1, -1);
  return places.is_contiguous() ? places.flatten(0, -2) : at::Tensor();
}

bool are_labels_known(const at::Tensor& labels, int64_t classes) {
  const auto* label = labels.data_ptr<int64_t>();
  return std::all_of(label, label + labels.numel(), [classes](int64_t one) {
    return one == kIgnoredLabel || (one >= 0 && one < classes);
  });
}

bool class_loss_goes_fast(Kernels kernels, const at::Tensor& scores, const at::Tensor& labels,
                          double label_smoothing) {
  return goes_fast(kernels, scores) && label_smoothing == 0 && scores.dim() >= 2 &&
         scores.numel() > 0 && labels.is_cpu() && labels.scalar_type() == at::kLong &&
         labels.is_contiguous() && labels.numel() * scores.size(1) == scores.numel() &&
         are_labels_known(labels, scores.size(1));
}

}  // namespace

at::Tensor class_loss(Kernels kernels, const at::Tensor& scores, const at::Tensor& labels,
                      double label_smoothing) {
  if (class_loss_goes_fast(kernels, scores, labels, label_smoothing)) {
    const at::Tensor rows = score_rows(scores);
    if (rows.defined()) return ClassLossFunction::apply(rows, labels);
  }
  return at::cross_entropy_loss(scores, labels, {}, at::Reduction::Mean, kIgnoredLabel,
                                label_smoothing);
}

}  // namespace hearth
