// A staircase, or lines between points, whose points lie in a file. The file is read when a value
// is first asked for: whoever only predicts need not have it.
#include "hearth/schedule/schedules/table.h"

#include <algorithm>
#include <mutex>

#include "hearth/base/digest.h"
#include "hearth/base/error.h"
#include "hearth/base/files.h"
#include "hearth/base/text.h"
#include "hearth/config/registry.h"
#include "hearth/schedule/scheduled_list.h"
#include "hearth/schedule/time_table.h"

namespace hearth::schedules {
namespace {

constexpr uint64_t kTableLimitBytes = 64 << 20;

std::optional<TimeUnit> unit_of(const std::optional<std::string>& text) {
  if (!text) return std::nullopt;
  return Time::from("1" + *text)->unit;
}

TimeTable read_table(const TableOptions& options) {
  const std::string text = read_file(options.file, kTableLimitBytes);
  if (!options.digest.empty() && sha256_hex(text) != options.digest)
    throw DataError(options.file +
                    " is not the file that this config was made with: `digest` says so. Put that "
                    "one back, or set `digest` to nothing and take this one.");
  return read_time_table(text, options.file, {options.column, unit_of(options.unit)});
}

class Table : public Schedule {
 public:
  using Options = TableOptions;
  explicit Table(Options options) : options_(std::move(options)) {}

  double value(const Moment& moment) const override {
    const TimeTable& read = rows();
    const auto next = std::partition_point(
        read.times.begin(), read.times.end(),
        [&](const Time& time) { return time.steps(moment.length) <= moment.step; });
    const auto row = static_cast<size_t>(next - read.times.begin());
    if (row == 0) return read.values.front();
    const double held = read.values[row - 1];
    if (options_.interpolation == "step" || row == read.values.size()) return held;
    const int64_t from = read.times[row - 1].steps(moment.length);
    const int64_t to = next->steps(moment.length);
    const double done = static_cast<double>(moment.step - from) / static_cast<double>(to - from);
    return held + (read.values[row] - held) * done;
  }

  std::pair<double, double> range() const override {
    const auto [low, high] = std::minmax_element(rows().values.begin(), rows().values.end());
    return {*low, *high};
  }

  std::vector<int64_t> changes(const TrainingLength& length) const override {
    std::vector<int64_t> steps;
    for (const Time& time : rows().times) steps.push_back(time.steps(length));
    return steps_within(std::move(steps), length);
  }

  std::vector<std::string> unreached(const TrainingLength& length) const override {
    const std::vector<Time>& times = rows().times;
    const auto late = std::partition_point(times.begin(), times.end(), [&](const Time& time) {
      return time.steps(length) < length.total_steps;
    });
    // The end of a line may lie at the end of the run.
    if (late == times.end()) return {};
    if (options_.interpolation == "linear" && late->steps(length) == length.total_steps &&
        late + 1 == times.end())
      return {};
    return {std::to_string(times.end() - late) + " of the " + std::to_string(times.size()) +
            " rows of " + options_.file + " are for later than the run's " +
            std::to_string(length.total_steps) + " steps, from " + late->text() + " (step " +
            std::to_string(late->steps(length)) + ") on."};
  }

 private:
  [[nodiscard]] const TimeTable& rows() const {
    std::call_once(is_read_, [this] { rows_ = read_table(options_); });
    return rows_;
  }

  Options options_;
  mutable std::once_flag is_read_;
  mutable TimeTable rows_;
};

}  // namespace

const Schema<TableOptions>& TableOptions::schema() {
  using O = TableOptions;
  static const auto schema =
      Schema<O>()
          .field(&O::file, "file",
                 "CSV with a column of times, called step, epoch, sample or percent, and one of "
                 "values.",
                 required(), not_empty(), is_path())
          .field(&O::column, "column",
                 "Which column holds the values, by name. Left out: `value`, or the only one "
                 "beside the times.")
          .field(&O::unit, "unit",
                 "What the times count. Left out: what their column is called; steps in a file "
                 "without names.",
                 one_of({"ep", "st", "sm", "%"}))
          .field(&O::interpolation, "interpolation",
                 "Between two rows: `step` stays at the first one's value, `linear` goes in a line "
                 "to the next.",
                 one_of({"step", "linear"}))
          .field(&O::digest, "digest",
                 "SHA-256 of the file. Left out, a run fills it in when it starts, so that it does "
                 "not go on with another file.",
                 digest_of("file"));
  return schema;
}

Choice<Schedule> table(TableOptions options) { return choose<Schedule>("table", options); }

void register_table(Registry<Schedule>& registry) {
  registry.add<Table>("table", "Values from a file, by step or epoch.");
}

}  // namespace hearth::schedules
