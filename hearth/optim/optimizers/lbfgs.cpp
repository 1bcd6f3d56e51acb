// L-BFGS, as PyTorch's: a direction from the last gradients and steps, and several steps of it for
// each batch. It waits for losses and products of its device, as every such search does.
#include "hearth/optim/optimizers/lbfgs.h"

#include <ATen/ops/cat.h>
#include <ATen/ops/dot.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>

#include <algorithm>
#include <cmath>

#include "hearth/config/registry.h"
#include "hearth/optim/optimizer.h"
#include "hearth/optim/optimizer_fields.h"
#include "hearth/optim/wolfe_search.h"

namespace hearth::optimizers {
namespace {

constexpr double kLeastCurve = 1e-10;

double product_of(const at::Tensor& left, const at::Tensor& right) {
  return at::dot(left, right).item<double>();
}
double greatest_of(const at::Tensor& values) { return values.abs().max().item<double>(); }

// What is remembered between batches, of all parameters as one vector.
struct LbfgsMemory {
  at::Tensor direction;
  at::Tensor gradient;                       // before the last step
  std::vector<at::Tensor> gradient_changes;  // the oldest first
  std::vector<at::Tensor> steps;
  double iterations = 0;
  double length = 0;  // of the last step, in directions
  double scale = 1;   // of the first guess of a direction
};

// All parameters as one vector, and their memory in the optimizer's slots.
class FlatSearch {
 public:
  enum Slot : size_t { kDirection, kGradient, kChanges, kSteps };
  using Entry = OptimizerMemory::Entry;
  FlatSearch(std::vector<at::Tensor> parameters, std::vector<Entry*> entries)
      : parameters_(std::move(parameters)), entries_(std::move(entries)) {}

  [[nodiscard]] at::Tensor place() const {
    return joined([](const at::Tensor& parameter) { return parameter.detach(); });
  }
  [[nodiscard]] at::Tensor gradient() const {
    return joined([](const at::Tensor& parameter) {
      return parameter.grad().defined() ? parameter.grad() : at::zeros_like(parameter.detach());
    });
  }
  void go_to(const at::Tensor& place) const {
    int64_t begin = 0;
    for (const at::Tensor& parameter : parameters_) {
      if (parameter.grad().defined())
        parameter.copy_(place.narrow(0, begin, parameter.numel()).view_as(parameter));
      begin += parameter.numel();
    }
  }

  [[nodiscard]] LbfgsMemory memory() const {
    LbfgsMemory memory;
    const auto known = std::find_if(entries_.begin(), entries_.end(),
                                    [](const Entry* entry) { return entry->numbers.size() == 3; });
    if (known == entries_.end()) return memory;
    const Entry& first = **known;
    memory.iterations = first.numbers[0];
    memory.length = first.numbers[1];
    memory.scale = first.numbers[2];
    const int64_t rows = first.slots[kSteps].defined() ? first.slots[kSteps].size(0) : 0;
    memory.direction = slot(kDirection, 1)[0];
    memory.gradient = slot(kGradient, 1)[0];
    memory.gradient_changes = slot(kChanges, rows).unbind(0);
    memory.steps = slot(kSteps, rows).unbind(0);
    return memory;
  }
  void remember(const LbfgsMemory& memory) const {
    int64_t begin = 0;
    for (size_t i = 0; i < parameters_.size(); ++i) {
      const at::Tensor& parameter = parameters_[i];
      Entry& entry = *entries_[i];
      const auto part = [&](const at::Tensor& flat) {
        return flat.narrow(0, begin, parameter.numel()).view_as(parameter).clone();
      };
      entry.numbers = {memory.iterations, memory.length, memory.scale};
      entry.slots[kDirection] = part(memory.direction);
      entry.slots[kGradient] = part(memory.gradient);
      if (!memory.steps.empty()) {
        entry.slots[kChanges] =
            at::stack(memory.gradient_changes).narrow(1, begin, parameter.numel()).clone();
        entry.slots[kSteps] = at::stack(memory.steps).narrow(1, begin, parameter.numel()).clone();
      }
      begin += parameter.numel();
    }
  }

 private:
  template <class Part>
  [[nodiscard]] at::Tensor joined(const Part& part) const {
    std::vector<at::Tensor> parts;
    for (const at::Tensor& parameter : parameters_) parts.push_back(part(parameter).flatten());
    return at::cat(parts);
  }
  // So many rows; zeros of a parameter that never had a gradient, which no checkpoint keeps.
  [[nodiscard]] at::Tensor slot(Slot which, int64_t rows) const {
    std::vector<at::Tensor> parts;
    for (size_t i = 0; i < entries_.size(); ++i) {
      const at::Tensor& own = entries_[i]->slots[which];
      const std::vector<int64_t> sizes = {rows, parameters_[i].numel()};
      parts.push_back(own.defined() ? own.reshape(sizes)
                                    : at::zeros(sizes, parameters_[i].options()));
    }
    return at::cat(parts, 1);
  }

  std::vector<at::Tensor> parameters_;
  std::vector<Entry*> entries_;
};

// The gradient, turned by what the remembered steps say of the loss's curves.
at::Tensor direction_from(const LbfgsMemory& memory, const at::Tensor& gradient) {
  const size_t count = memory.steps.size();
  std::vector<double> inverse(count);
  std::vector<double> shares(count);
  at::Tensor turned = gradient.neg();
  for (size_t k = count; k-- > 0;) {
    inverse[k] = 1 / product_of(memory.gradient_changes[k], memory.steps[k]);
    shares[k] = product_of(memory.steps[k], turned) * inverse[k];
    turned.add_(memory.gradient_changes[k], -shares[k]);
  }
  turned.mul_(memory.scale);
  for (size_t k = 0; k < count; ++k) {
    const double back = product_of(memory.gradient_changes[k], turned) * inverse[k];
    turned.add_(memory.steps[k], shares[k] - back);
  }
  return turned;
}

// Forgets the oldest.
void keep_at_most(LbfgsMemory& memory, size_t most) {
  while (memory.steps.size() > most) {
    memory.steps.erase(memory.steps.begin());
    memory.gradient_changes.erase(memory.gradient_changes.begin());
  }
}

void learn_curve(LbfgsMemory& memory, const at::Tensor& gradient, size_t most) {
  const at::Tensor change = gradient.sub(memory.gradient);
  const at::Tensor step = memory.direction.mul(memory.length);
  const double curve = product_of(change, step);
  if (!(curve > kLeastCurve)) return;
  keep_at_most(memory, most - 1);
  memory.gradient_changes.push_back(change);
  memory.steps.push_back(step);
  memory.scale = curve / product_of(change, change);
}

class Lbfgs : public Optimizer {
 public:
  using Options = LbfgsOptions;
  using TimedOptions = Timed<LbfgsOptions>;
  explicit Lbfgs(TimedOptions options)
      : Optimizer(options,
                  {"direction", "previous_gradient", {"gradient_changes", true}, {"steps", true}}),
        options_(std::move(options)),
        max_iter_(options_.fixed().max_iter),
        max_eval_(options_.fixed().max_eval),
        history_size_(options_.fixed().history_size) {}
  [[nodiscard]] bool searches() const override { return true; }
  [[nodiscard]] bool needs_shapes() const override { return true; }

 private:
  [[nodiscard]] int64_t values_in_slot(size_t slot, at::IntArrayRef sizes) const override {
    const auto most = static_cast<int64_t>(history_size_.range().second);
    return c10::multiply_integers(sizes) * (slot < 2 ? 1 : most);
  }

  void search(const Search& search) const override {
    const LbfgsOptions& now = options_.at(search.moment);
    const FlatSearch flat(search.parameters, search.entries);
    LbfgsMemory memory = flat.memory();
    at::Tensor gradient = flat.gradient();
    double loss = search.loss;
    int64_t evaluations = 1;
    const int64_t max_iter = count_at(max_iter_, search.moment);
    const int64_t max_eval = count_at(max_eval_, search.moment);
    const int64_t rounds = search.evaluate ? max_iter : 1;
    const int64_t most = max_eval > 0 ? max_eval : max_iter * 5 / 4;
    const auto history = static_cast<size_t>(count_at(history_size_, search.moment));
    if (gradient.numel() == 0 || greatest_of(gradient) <= now.tolerance_grad) return;
    for (int64_t round = 1; round <= rounds; ++round) {
      turn(memory, gradient, history);
      memory.length = search.lr;
      if (memory.iterations == 1)
        memory.length *= std::min(1.0, 1 / gradient.abs().sum().item<double>());
      const double slope = product_of(gradient, memory.direction);
      const double before = loss;
      if (slope > -now.tolerance_change) break;
      const PlaceAlong start{0, loss, slope, gradient};
      const WolfeSearch::Result found = advance(now, search, flat, memory, start, round == rounds);
      memory.length = found.place.length;
      loss = found.place.loss;
      gradient = found.place.gradient;
      evaluations += found.looks;
      if (round == rounds || evaluations >= most) break;
      if (greatest_of(gradient) <= now.tolerance_grad) break;
      if (greatest_of(memory.direction) * memory.length <= now.tolerance_change) break;
      if (std::abs(loss - before) < now.tolerance_change) break;
    }
    flat.remember(memory);
  }

  // A new direction from this gradient, which is remembered.
  static void turn(LbfgsMemory& memory, const at::Tensor& gradient, size_t history) {
    keep_at_most(memory, history);
    if (memory.iterations > 0) learn_curve(memory, gradient, history);
    memory.iterations += 1;
    memory.direction = direction_from(memory, gradient);
    memory.gradient = gradient;
  }

  // Goes along the direction: by the whole length, or as far as the search says.
  static WolfeSearch::Result advance(const LbfgsOptions& now, const Search& search,
                                     const FlatSearch& flat, const LbfgsMemory& memory,
                                     const PlaceAlong& start, bool is_last) {
    const at::Tensor place = flat.place();
    const auto look = [&](double length) -> PlaceAlong {
      flat.go_to(place.add(memory.direction, length));
      const double loss = search.evaluate();
      const at::Tensor gradient = flat.gradient();
      return {length, loss, product_of(gradient, memory.direction), gradient};
    };
    if (search.evaluate && now.line_search == "strong_wolfe") {
      const WolfeSearch wolfe{look, greatest_of(memory.direction), now.tolerance_change};
      const WolfeSearch::Result found = wolfe.from(start, memory.length);
      flat.go_to(place.add(memory.direction, found.place.length));
      return found;
    }
    if (search.evaluate && !is_last) return {look(memory.length), 1};
    flat.go_to(place.add(memory.direction, memory.length));
    return {{memory.length, start.loss, start.slope, start.gradient}, 0};
  }

  TimedOptions options_;
  ScheduledValue max_iter_;
  ScheduledValue max_eval_;
  ScheduledValue history_size_;
};

}  // namespace

const Schema<LbfgsOptions>& LbfgsOptions::schema() {
  using O = LbfgsOptions;
  static const auto fields =
      lr_schema<O>("Length of a step, or the first guess of a search.")
          .field(&O::max_iter, "max_iter",
                 "Steps for each batch; all that leads to the loss runs again for each.",
                 at_least(1))
          .field(&O::max_eval, "max_eval",
                 "Losses found for each batch at most; 0 for five quarters of max_iter.",
                 at_least(0))
          .field(&O::tolerance_grad, "tolerance_grad",
                 "A batch is done when no gradient is greater.", at_least(0))
          .field(&O::tolerance_change, "tolerance_change",
                 "A batch is done when neither the loss nor a parameter changes by more.",
                 at_least(0))
          .field(&O::history_size, "history_size",
                 "Steps that are remembered; each takes twice the memory of the parameters.",
                 at_least(1), at_most(1000))
          .field(&O::line_search, "line_search",
                 "strong_wolfe looks for the best length of each step.",
                 one_of({"none", "strong_wolfe"}));
  return fields;
}

Choice<Optimizer> lbfgs(LbfgsOptions options) { return choose<Optimizer>("lbfgs", options); }

void register_lbfgs(Registry<Optimizer>& optimizers) {
  optimizers.add<Lbfgs>("lbfgs",
                        "Steps along directions that past gradients have taught; for small data "
                        "in one batch.");
}

}  // namespace hearth::optimizers
