// Hours, weekdays and months as points of a circle: a sine and a cosine in the place of a number.
#include "hearth/data/ops/table/cyclic.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/config/registry.h"
#include "hearth/data/table/feature_vector.h"

namespace hearth::sample_ops {

namespace {

constexpr std::array<std::pair<std::string_view, double>, 6> kPeriods = {{{".hour", 24},
                                                                          {".weekday", 7},
                                                                          {".month", 12},
                                                                          {".day", 31},
                                                                          {".minute", 60},
                                                                          {".days", 365.2425}}};

double known_period(const std::string& column) {
  for (const auto& [ending, period] : kPeriods)
    if (column.ends_with(ending)) return period;
  throw GraphError("cyclic: after how much column " + quote(column) +
                   " begins again is not known. Give `period`.");
}

class Cyclic : public SampleOp {
 public:
  using Options = CyclicOptions;
  explicit Cyclic(Options options) : options_(std::move(options)) {}

  std::vector<std::string> reads() const override { return {options_.key}; }
  bool is_random() const override { return false; }
  std::vector<std::string> writes() const override { return {options_.key}; }

  std::vector<Spec> infer(const std::vector<Spec>& inputs) const override {
    const Spec& in = inputs.at(0);
    require_floats("cyclic", options_.key, in);
    if (in.shape.size() != 1 || in.columns.size() != static_cast<size_t>(in.shape[0]))
      throw GraphError("cyclic: key " + quote(options_.key) +
                       " must be the numbers of a table, with a name for each, but is " +
                       in.text() + ".");
    for (const std::string& column : options_.columns)
      (void)column_place("cyclic", options_.key, in, column);
    Spec out = in;
    out.columns.clear();
    for (const std::string& column : in.columns) {
      if (!is_chosen(column)) {
        out.columns.push_back(column);
        continue;
      }
      if (options_.period == 0) (void)known_period(column);
      out.columns.push_back(column + ".sin");
      out.columns.push_back(column + ".cos");
    }
    out.shape = {static_cast<int64_t>(out.columns.size())};
    return {out};
  }

  void run(Random&, std::span<const View> inputs, std::span<const Cell> outputs) const override {
    const auto in = inputs[0].as<float>();
    const auto out = outputs[0].as<float>();
    const std::vector<std::string>& columns = inputs[0].spec->columns;
    size_t at = 0;
    for (size_t i = 0; i < in.size(); ++i) {
      if (!is_chosen(columns[i])) {
        out[at++] = in[i];
        continue;
      }
      const double period = options_.period > 0 ? options_.period : known_period(columns[i]);
      const double angle = 2 * std::numbers::pi * in[i] / period;
      out[at++] = static_cast<float>(std::sin(angle));
      out[at++] = static_cast<float>(std::cos(angle));
    }
  }

 private:
  [[nodiscard]] bool is_chosen(const std::string& column) const {
    return std::find(options_.columns.begin(), options_.columns.end(), column) !=
           options_.columns.end();
  }

  Options options_;
};

}  // namespace

const Schema<CyclicOptions>& CyclicOptions::schema() {
  using O = CyclicOptions;
  static const auto schema =
      Schema<O>()
          .field(&O::key, "key", "The numbers of a table.", not_empty())
          .field(&O::columns, "columns",
                 "Which columns come around again, such as [when.hour, when.weekday]; each becomes "
                 "two, its sine and its cosine.",
                 required(), not_empty())
          .field(&O::period, "period",
                 "After how much they begin again; 0: 24 for hours, 7 for weekdays, 12 for months, "
                 "31 for days, 60 for minutes, a year for `days`, by the ends of their names.",
                 at_least(0));
  return schema;
}

Choice<SampleOp> cyclic(const CyclicOptions& options) {
  return choose<SampleOp>("cyclic", options);
}

void register_cyclic(Registry<SampleOp>& registry) {
  registry.add<Cyclic>("cyclic", "Hours, weekdays and months as points of a circle.");
}

}  // namespace hearth::sample_ops
