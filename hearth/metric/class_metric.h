// Metrics that are functions of how often each class was due, given and right; of all classes
// together, or of each one with averages and a table. For people who write a metric.
#pragma once

#include <functional>

#include "hearth/metric/class_counting.h"

namespace hearth {

// Of one class, or of several together.
struct ClassTally {
  double due = 0;    // samples of the class
  double given = 0;  // answers that name it
  double right = 0;
  double all = 0;  // samples of any class

  [[nodiscard]] bool came_up() const { return due > 0 || given > 0; }
};

// Not a number where there is nothing to divide by.
[[nodiscard]] double share_of(double part, double whole);

// The tallies of a row of counts that has due, given and right for each class, and a place for what
// does not count behind each of them.
[[nodiscard]] std::vector<ClassTally> tallies(const std::vector<double>& counts, int64_t classes);
[[nodiscard]] int64_t tally_places(int64_t classes);
[[nodiscard]] at::Tensor tally_places_of(const ClassAnswers& answers, int64_t classes);

inline constexpr const char* kAverageHelp =
    "What is reported under its own name: `macro`, the mean over the classes that came up; "
    "`micro`, "
    "over all samples; `weighted`, the mean by samples of a class. A share of nothing counts as 0.";

// A column of the table, with the part and the whole of each class's share.
struct ClassScore {
  std::string name;
  std::function<std::pair<double, double>(const ClassTally&)> share;
};
// The averages of the last score as numbers, the one that is asked for as headline, and a table of
// all scores and the samples of each class.
[[nodiscard]] Measured averaged(const std::vector<ClassTally>& classes,
                                const std::vector<std::string>& names,
                                const std::vector<ClassScore>& scores, const std::string& average);
[[nodiscard]] std::vector<std::string> average_names();
// Columns of the tables of F scores.
[[nodiscard]] std::vector<ClassScore> precision_and_recall();

// `Measure` has `static Measured value(const Options&, const std::vector<ClassTally>&, const
// std::vector<std::string>& names)`, beside what MeasureOf wants but `check`.
template <class Measure>
struct CheckedAnswers : Measure {
  static Known check(const typename Measure::Options&, std::span<const KeySpec> keys) {
    return check_class_answers(keys);
  }
};

template <class Measure>
class ClassMetric : public MeasureOf<CheckedAnswers<Measure>, ClassCounting> {
 public:
  using MeasureOf<CheckedAnswers<Measure>, ClassCounting>::MeasureOf;

 protected:
  [[nodiscard]] double threshold() const override { return this->options().threshold; }
  [[nodiscard]] int64_t places(int64_t classes) const override { return tally_places(classes); }
  [[nodiscard]] at::Tensor places_of(const ClassAnswers& answers) const override {
    return tally_places_of(answers, this->classes());
  }
  void count_at(int64_t label, int64_t predicted, int64_t* counts) const override {
    const int64_t row = this->classes() + 1;
    ++counts[label];
    ++counts[row + predicted];
    ++counts[2 * row + (label == predicted ? label : this->classes())];
  }
  [[nodiscard]] Measured value(const std::vector<double>& counts) const override {
    return Measure::value(this->options(), tallies(counts, this->classes()), this->class_names());
  }
};

// `Measure` of a share that each class has: `static std::pair<double, double> share(const Options&,
// const ClassTally&)`. Its options have `average`.
template <class Measure>
struct AveragedMeasure : Measure {
  using Options = typename Measure::Options;
  static std::vector<std::string> numbers(const Options&) { return average_names(); }
  static Measured value(const Options& options, const std::vector<ClassTally>& classes,
                        const std::vector<std::string>& names) {
    std::vector<ClassScore> scores;
    if constexpr (requires { &Measure::further_scores; }) scores = Measure::further_scores();
    scores.push_back(
        {Measure::kName, [&](const ClassTally& tally) { return Measure::share(options, tally); }});
    return averaged(classes, names, scores, options.average);
  }
};
template <class Measure>
using AveragedClassMetric = ClassMetric<AveragedMeasure<Measure>>;

}  // namespace hearth
