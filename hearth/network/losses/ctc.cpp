// All ways to say labels in a number of steps: the forward variables of Graves et al., in
// logarithms.
#include "hearth/network/losses/ctc.h"

#include <ATen/core/Reduction.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/ctc_loss.h>
#include <ATen/ops/full_like.h>
#include <ATen/ops/log_softmax.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/where.h>

namespace hearth {
namespace {

// The logarithm of nothing: finite, so that sums of nothing have slopes.
constexpr double kNothing = -1e30;
constexpr double kAlmostNothing = -1e29;

// Labels with blanks before, between and after them: [B, 2 labels + 1].
at::Tensor with_blanks(const CtcInputs& inputs) {
  const at::Tensor known = inputs.labels.clamp_min(0);
  const at::Tensor blanks = at::full_like(known, inputs.blank);
  const at::Tensor first = at::full_like(known.narrow(1, 0, 1), inputs.blank);
  return at::cat({first, at::stack({known, blanks}, 2).flatten(1)}, 1);
}

// Values as they were `by` places before; nothing comes in.
at::Tensor moved_on(const at::Tensor& values, int64_t by) {
  const int64_t places = values.size(1);
  const at::Tensor nothing = at::full_like(values.narrow(1, 0, by), kNothing);
  return at::cat({nothing, values.narrow(1, 0, places - by)}, 1);
}

// A label may follow the one before it without a blank between, unless both are the same.
at::Tensor may_leave_out_blank(const at::Tensor& places, int64_t blank) {
  const at::Tensor differs = places.narrow(1, 2, places.size(1) - 2)
                                 .ne(places.narrow(1, 0, places.size(1) - 2))
                                 .logical_and(places.narrow(1, 2, places.size(1) - 2).ne(blank));
  const at::Tensor never = places.narrow(1, 0, 2).ne(places.narrow(1, 0, 2));
  return at::cat({never, differs}, 1);
}

// LibTorch's: forward and backward variables in one pass each. In double precision, which takes no
// longer, one value at a time: its gradient is a difference of exponentials of long sums. It may
// lose what is not a number.
at::Tensor losses_on_host(const CtcInputs& inputs) {
  const at::Tensor certainty = at::log_softmax(inputs.scores, 1, at::kDouble).permute({2, 0, 1});
  const at::Tensor steps =
      inputs.steps.defined() ? inputs.steps : at::full_like(inputs.lengths, inputs.scores.size(2));
  const at::Tensor losses =
      at::ctc_loss(certainty, inputs.labels.clamp_min(0), steps, inputs.lengths, inputs.blank,
                   at::Reduction::None, /*zero_infinity=*/true);
  const at::Tensor lost = inputs.scores.masked_fill(inputs.scores.eq(inputs.scores), 0);
  return losses.to(inputs.scores.scalar_type()).add(lost.sum({1, 2}));
}

at::Tensor losses_anywhere(const CtcInputs& inputs) {
  const int64_t steps = inputs.scores.size(2);
  const at::Tensor places = with_blanks(inputs);
  const at::Tensor certainty = at::log_softmax(inputs.scores, 1);
  const at::Tensor index = places.unsqueeze(2).expand({places.size(0), places.size(1), steps});
  const at::Tensor said = certainty.gather(1, index);
  const at::Tensor may_skip = may_leave_out_blank(places, inputs.blank);
  const at::Tensor first = said.select(2, 0);
  at::Tensor ways = at::cat(
      {first.narrow(1, 0, 2), at::full_like(first.narrow(1, 2, first.size(1) - 2), kNothing)}, 1);
  for (int64_t step = 1; step < steps; ++step) {
    const at::Tensor skipped = moved_on(ways, 2).masked_fill(may_skip.logical_not(), kNothing);
    const at::Tensor next =
        at::stack({ways, moved_on(ways, 1), skipped}, 0).logsumexp(0).add(said.select(2, step));
    ways =
        inputs.steps.defined() ? at::where(inputs.steps.gt(step).unsqueeze(1), next, ways) : next;
  }
  const at::Tensor end = inputs.lengths.mul(2).unsqueeze(1);
  const at::Tensor at_blank = ways.gather(1, end);
  const at::Tensor at_label =
      ways.gather(1, end.sub(1).clamp_min(0)).masked_fill(end.eq(0), kNothing);
  const at::Tensor all = at::cat({at_blank, at_label}, 1).logsumexp(1);
  return all.neg().masked_fill(all.lt(kAlmostNothing), 0);
}

}  // namespace

at::Tensor ctc_losses(Kernels kernels, const CtcInputs& inputs) {
  const bool is_on_host = goes_fast(kernels, inputs.scores) && inputs.scores.numel() > 0;
  return is_on_host ? losses_on_host(inputs) : losses_anywhere(inputs);
}

}  // namespace hearth
