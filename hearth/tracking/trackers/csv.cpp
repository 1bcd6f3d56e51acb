// Writes the numbers that a run logs as one CSV file: a row for each step that has any, a column
// for each number. When a number comes that no row had before, the file is written again, wider.
#include "hearth/tracking/trackers/csv.h"

#include <fstream>
#include <map>

#include "hearth/base/error.h"
#include "hearth/base/files.h"
#include "hearth/base/text.h"
#include "hearth/config/registry.h"
#include "hearth/format/csv.h"
#include "hearth/tracking/growing_file.h"
#include "hearth/tracking/series_name.h"

namespace hearth::trackers {
namespace {

class CsvTracker : public Tracker {
 public:
  using Options = CsvOptions;
  explicit CsvTracker(Options options) : options_(std::move(options)) {}

  void begin(const fs::path& run) override {
    const fs::path path = options_.file.empty() ? run / "metrics.csv" : fs::path(options_.file);
    if (path.has_parent_path()) make_folder(path.parent_path());
    columns_.clear();
    names_ = {"step", "epoch", "time"};
    row_.clear();
    file_ = GrowingFile(path);
    file_.add(csv_line(names_));
  }

  void take(const Event& event) override {
    add_columns(event);
    for (const auto& [name, value] : event.values) {
      const size_t column = columns_.at(series_name(event.kind, name));
      // A number comes once a row, however often a step is measured.
      if (!row_.empty() && (event.step != step_ || !row_[column].empty())) finish_row();
      if (row_.empty()) begin_row(event);
      row_[column] = shortest_number(value);
    }
    file_.flush_when_much_waits();
  }

  // The row of the newest step may still grow.
  void flush() override { file_.flush(); }

  void settle() override {
    finish_row();
    file_.sync();
  }

 private:
  void begin_row(const Event& event) {
    step_ = event.step;
    row_.resize(names_.size());
    row_[0] = std::to_string(event.step);
    row_[1] = std::to_string(event.epoch + 1);
    row_[2] = shortest_number(event.time);
  }

  void finish_row() {
    if (row_.empty()) return;
    file_.add(csv_line(row_));
    row_.clear();
  }

  void add_columns(const Event& event) {
    const std::string old_head = csv_line(names_);
    const size_t before = names_.size();
    for (const auto& [name, value] : event.values) {
      const std::string column = series_name(event.kind, name);
      if (columns_.try_emplace(column, names_.size()).second) names_.push_back(column);
    }
    if (names_.size() == before) return;
    if (!row_.empty()) row_.resize(names_.size());
    widen(old_head, std::string(names_.size() - before, ','));
  }

  // Numbers need no quotes, so that every row is a line.
  void widen(const std::string& old_head, const std::string& more) {
    file_.flush();
    std::ifstream rows(file_.path());
    rows.seekg(static_cast<std::streamoff>(old_head.size()));
    DurableFile wider(file_.path());
    wider.write(csv_line(names_));
    for (std::string line; std::getline(rows, line);) wider.write(line + more + "\n");
    wider.commit();
    file_ = GrowingFile::at_end_of(file_.path());
  }

  Options options_;
  GrowingFile file_;
  std::vector<std::string> names_;
  std::map<std::string, size_t> columns_;  // those of numbers, by name
  std::vector<std::string> row_;           // of the newest step; empty before it has a number
  int64_t step_ = 0;
};

}  // namespace

const Schema<CsvOptions>& CsvOptions::schema() {
  using O = CsvOptions;
  static const auto schema = Schema<O>().field(
      &O::file, "file",
      "Where to write it, relative to the folder you work in. Left out: metrics.csv in the run's "
      "folder.");
  return schema;
}

Choice<Tracker> csv(CsvOptions options) { return choose<Tracker>("csv", options); }

void register_csv(Registry<Tracker>& registry) {
  registry.add<CsvTracker>("csv", "All numbers of the run log as one CSV file.");
}

}  // namespace hearth::trackers
