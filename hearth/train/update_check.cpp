// Follows losses back to the models they come from.
#include "hearth/train/update_check.h"

#include <algorithm>
#include <set>

#include "hearth/base/text.h"

namespace hearth {
namespace {

// What a value was made from: calls of models by number, or something nobody can look into.
struct Origin {
  std::set<size_t> calls;
  bool is_unknown = false;
  void add(const Origin& other) {
    calls.insert(other.calls.begin(), other.calls.end());
    is_unknown = is_unknown || other.is_unknown;
  }
};

class UpdateChecker {
 public:
  UpdateChecker(const CompiledPlan& compiled, int64_t batches)
      : compiled_(compiled),
        ops_(compiled.ops),
        batches_(batches),
        of_value_(compiled.plan.values.size()),
        of_op_(ops_.size()) {}

  void run() {
    for (size_t i = 0; i < ops_.size(); ++i) {
      for (const int index : ops_[i].inputs)
        if (ops_[i].op->passes_gradients()) of_op_[i].add(of_value_[static_cast<size_t>(index)]);
      if (ops_[i].is_update()) check_accumulate(i);
      if (!ops_[i].losses.empty())
        check(i);
      else
        make(i);
      if (ops_[i].is_update()) updates_.push_back(i);
    }
    if (!faults_.empty()) throw PlanError(faults_, Mode::kTrain);
  }

 private:
  void make(size_t i) {
    Origin& origin = of_op_[i];
    if (!models_of(i).empty())
      origin.calls.insert(i);
    else
      origin.is_unknown = origin.is_unknown || ops_[i].op->looks_at_parameters();
    for (const int index : ops_[i].outputs)
      if (index >= 0) of_value_[static_cast<size_t>(index)] = origin;
  }

  [[nodiscard]] std::vector<std::string> models_of(size_t op) const {
    return ops_[op].op->model_names();
  }
  [[nodiscard]] bool names(size_t op, const std::string& model) const {
    const std::vector<std::string> models = models_of(op);
    return std::find(models.begin(), models.end(), model) != models.end();
  }

  [[nodiscard]] bool depends_on(const Origin& origin, const std::string& model) const {
    return std::any_of(origin.calls.begin(), origin.calls.end(),
                       [&](size_t op) { return names(op, model); });
  }

  void check_accumulate(size_t update) {
    const int64_t accumulate = ops_[update].op->batches_per_step();
    if (accumulate > batches_)
      fault(update, "waits for " + std::to_string(accumulate) +
                        " batches before each step, but the run has " + std::to_string(batches_) +
                        ", so it never takes one. Lower 'accumulate', or train longer.");
  }

  // Of an update or a backward.
  void check(size_t asking) {
    const Origin& loss = of_op_[asking];
    if (loss.is_unknown) return;
    for (const std::string& model : models_of(asking)) {
      if (!depends_on(loss, model))
        fault(asking, "has a loss that does not depend on the model " + quote(model) +
                          ". Name the loss of that model's output.");
      for (const size_t moved : updates_)
        for (const std::string& other : models_of(moved))
          if (is_spoilt(loss, model, moved, other)) return spoilt(asking, moved, other);
    }
  }

  // Gradients for `model` need the weights that the earlier update has changed since.
  [[nodiscard]] bool is_spoilt(const Origin& loss, const std::string& model, size_t moved,
                               const std::string& moved_model) const {
    return std::any_of(loss.calls.begin(), loss.calls.end(), [&](size_t op) {
      return op < moved && names(op, moved_model) &&
             (names(op, model) || depends_on(of_op_[op], model));
    });
  }

  void spoilt(size_t asking, size_t moved, const std::string& model) {
    fault(asking, "needs the weights of the model " + quote(model) +
                      " as its loss was computed with, but " + ops_[moved].label +
                      " has moved them by then. Put the update of " + quote(model) +
                      " last, add the losses up, or call the model again in between.");
  }

  void fault(size_t op, const std::string& message) {
    const std::string& label = ops_[op].label;
    Mark mark;
    for (const GraphNode& node : compiled_.nodes)
      if (node.name == label) mark = node.mark;
    faults_.push_back({mark.prefix(), label + " " + message, Mode::kTrain});
  }

  const CompiledPlan& compiled_;
  const std::vector<BoundOp>& ops_;
  int64_t batches_;
  std::vector<Origin> of_value_;
  std::vector<Origin> of_op_;
  std::vector<size_t> updates_;
  std::vector<PlanFault> faults_;
};

}  // namespace

void check_updates(const CompiledPlan& compiled, int64_t batches) {
  UpdateChecker(compiled, batches).run();
}

}  // namespace hearth
