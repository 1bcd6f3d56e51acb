// Writes metrics into one CSV file. A resume cuts it back to the checkpoint, as it does the log.
#include "hearth/train/traces/csv.h"

#include <nlohmann/json.hpp>

#include "hearth/base/text.h"
#include "hearth/config/registry.h"
#include "hearth/train/trace.h"

namespace hearth::traces {
namespace {

class Csv : public Trace {
 public:
  using Options = CsvOptions;
  explicit Csv(Options options) : options_(std::move(options)) {}

  [[nodiscard]] std::vector<Interest> interests() const override {
    return {
        {.on = is_by_epoch() ? Occasion::kEpochEnd : Occasion::kStep, .every = options_.interval}};
  }
  // What steps have is known when the first one is logged.
  [[nodiscard]] std::vector<std::string> monitors() const override {
    std::vector<std::string> names;
    for (const std::string& metric : options_.metrics)
      if (!metric.starts_with("step/")) names.push_back(metric);
    return names;
  }
  [[nodiscard]] std::vector<std::string> writes(const std::string&) const override {
    return {"tables/" + options_.out + ".csv"};
  }

  void hear(const Happening& happening, RunControl& run) override {
    if (bytes_ == 0) columns_ = columns_of(run);
    RunTable table{{"epoch", "step"}, {}};
    table.columns.insert(table.columns.end(), columns_.begin(), columns_.end());
    std::vector<std::string> row = {std::to_string(happening.moment.epoch + 1),
                                    std::to_string(happening.step)};
    for (const std::string& column : columns_) {
      const auto found = run.metrics().find(column);
      row.push_back(found == run.metrics().end() ? "" : shortest_number(found->second));
    }
    table.rows.push_back(std::move(row));
    bytes_ = run.append_table(options_.out, std::move(table), bytes_);
  }

  [[nodiscard]] Json state() const override { return {{"bytes", bytes_}, {"columns", columns_}}; }
  void restore(const Json& state) override {
    bytes_ = state.at("bytes").get<uint64_t>();
    columns_ = state.at("columns").get<std::vector<std::string>>();
  }

 private:
  [[nodiscard]] bool is_by_epoch() const { return options_.interval.unit == TimeUnit::kEpoch; }

  [[nodiscard]] std::vector<std::string> columns_of(const RunControl& run) const {
    if (!options_.metrics.empty()) return options_.metrics;
    std::vector<std::string> names =
        is_by_epoch() ? run.metric_names() : std::vector<std::string>();
    if (!is_by_epoch())
      for (const auto& [name, value] : run.metrics())
        if (name.starts_with("step/")) names.push_back(name);
    return names;
  }

  Options options_;
  uint64_t bytes_ = 0;  // of the file
  std::vector<std::string> columns_;
};

}  // namespace

const Schema<CsvOptions>& CsvOptions::schema() {
  using O = CsvOptions;
  static const auto schema =
      Schema<O>()
          .field(
              &O::metrics, "metrics",
              "Columns, such as eval/accuracy or step/loss; left out: all metrics, of steps what "
              "is logged of them.")
          .field(&O::interval, "interval", "A row how often: 1ep, 100st.", above(0))
          .field(&O::out, "out", "Name of the file: tables/<out>.csv in the run folder.",
                 not_empty(), file_name());
  return schema;
}

Choice<Trace> csv(CsvOptions options) { return choose<Trace>("csv", options); }

void register_csv(Registry<Trace>& registry) {
  registry.add<Csv>("csv", "Writes metrics into one CSV file, a row for each epoch or some steps.");
}

}  // namespace hearth::traces
