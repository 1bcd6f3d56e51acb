// Counts of a classifier's answers by class: what metrics made of such counts share.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "hearth/metric/class_answers.h"
#include "hearth/metric/metric.h"

namespace hearth {

// A metric whose state is a row of counts; how many there are hangs on the number of classes.
class ClassCounting : public Metric {
 public:
  [[nodiscard]] std::vector<std::string> reads() const override { return in_; }
  [[nodiscard]] std::string name() const override { return out_; }
  [[nodiscard]] bool is_better_when_higher() const override { return true; }
  // GraphError unless there is a score for each class beside a label.
  void check(const std::vector<Spec>& inputs) override;
  void reset() override { counts_ = BatchCounts(places(classes_)); }
  void update(std::span<const at::Tensor> inputs, const Moment& moment) override;
  void merge(const Metric& other) override;
  [[nodiscard]] State state() const override;
  void restore(const State& state) override;

 protected:
  ClassCounting(std::vector<std::string> in, std::string out)
      : in_(std::move(in)), out_(std::move(out)) {}
  // How many counts there are.
  [[nodiscard]] virtual int64_t places(int64_t classes) const = 0;
  // The places that go up by one, as int64 of any shape.
  [[nodiscard]] virtual at::Tensor places_of(const ClassAnswers& answers) const = 0;

  [[nodiscard]] int64_t classes() const { return classes_; }
  [[nodiscard]] const std::vector<std::string>& class_names() const { return names_; }
  [[nodiscard]] at::Tensor counts() const { return counts_.total(); }

 private:
  std::vector<std::string> in_;
  std::string out_;
  int64_t classes_ = 0;
  std::vector<std::string> names_;
  BatchCounts counts_;
};

}  // namespace hearth
