// Counts of a classifier's answers by class.
#include "hearth/metric/class_counting.h"

#include "hearth/tensor/class_scores.h"

namespace hearth {

void ClassCounting::check(const std::vector<Spec>& inputs) {
  check_class_scores({in_[0], inputs[0]}, {in_[1], inputs[1]});
  names_ = names_of_classes(inputs[0], inputs[1]);
  const int64_t classes = inputs[0].shape.front();
  if (classes_ == classes) return;
  counts_ = BatchCounts(places(classes));
  classes_ = classes;
}

void ClassCounting::update(std::span<const at::Tensor> inputs, const Moment&) {
  counts_.count(places_of(class_answers(inputs[0], inputs[1])));
}

void ClassCounting::merge(const Metric& other) {
  counts_.add(dynamic_cast<const ClassCounting&>(other).counts_);
}

State ClassCounting::state() const {
  State state;
  counts_.save(state, "counts");
  return state;
}

void ClassCounting::restore(const State& state) { counts_.restore(state, "counts"); }

}  // namespace hearth
