// Curves from a run log.
#include "hearth/tracking/series.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "hearth/base/error.h"
#include "hearth/base/files.h"
#include "hearth/core/log_reader.h"
#include "hearth/tracking/run_facts.h"
#include "hearth/tracking/series_name.h"

namespace hearth {
namespace {

// Reads a log from its start to its end as it is now.
class SeriesReader {
 public:
  SeriesReader(fs::path run, std::function<bool(const std::string&)> wants)
      : run_(std::move(run)), wants_(std::move(wants)) {}

  RunSeries read() {
    LogReader log(run_ / "log.jsonl");
    for (LogNews news = log.next(); news.index() != 0; news = log.next()) {
      if (const auto* event = std::get_if<Event>(&news)) {
        take(*event);
      } else {  // what was read does not hold any more
        *this = SeriesReader(run_, wants_);
        return read();
      }
    }
    find_epochs();
    found_.run = run_name(run_);
    return std::move(found_);
  }

 private:
  void take(const Event& event) {
    if (!begun_at_ && event.time > 0) begun_at_ = event.time;
    if (event.kind == "epoch") ends_[event.epoch] = event.step;
    last_step_ = std::max(last_step_, event.step);
    for (const auto& [name, value] : event.values) {
      const std::string full = series_name(event.kind, name);
      const auto [place, is_new] = places_.try_emplace(full, found_.all.size());
      if (is_new) found_.all.push_back({full, {}});
      if (!wants_(full)) continue;
      found_.all[place->second].points.push_back({event.step, static_cast<double>(event.epoch),
                                                  event.time - begun_at_.value_or(event.time),
                                                  value});
    }
  }

  // The log counts whole epochs; steps say how much of one is done.
  void find_epochs() {
    for (Series& series : found_.all)
      for (SeriesPoint& point : series.points) point.epoch = epochs_at(point);
  }
  [[nodiscard]] double epochs_at(const SeriesPoint& point) const {
    const auto epoch = static_cast<int64_t>(point.epoch);
    const auto before = ends_.find(epoch - 1);
    const int64_t first = before == ends_.end() ? 0 : before->second;
    const auto end = ends_.find(epoch);
    int64_t last = end == ends_.end() ? last_step_ : end->second;
    // Of an epoch that is not done yet: as long as the one before, or longer.
    if (const auto earlier = ends_.find(epoch - 2); end == ends_.end() && before != ends_.end())
      last = std::max(last, 2 * first - (earlier == ends_.end() ? 0 : earlier->second));
    if (last <= first) return point.epoch;
    return point.epoch +
           static_cast<double>(point.step - first) / static_cast<double>(last - first);
  }

  fs::path run_;
  std::function<bool(const std::string&)> wants_;
  RunSeries found_;
  std::map<std::string, size_t> places_;
  std::map<int64_t, int64_t> ends_;  // the last step of each epoch
  int64_t last_step_ = 0;
  std::optional<double> begun_at_;
};

}  // namespace

const Series* RunSeries::find(const std::string& name) const {
  const auto found = std::ranges::find(all, name, &Series::name);
  return found == all.end() ? nullptr : &*found;
}

std::vector<std::string> RunSeries::names() const {
  std::vector<std::string> names;
  for (const Series& series : all) names.push_back(series.name);
  return names;
}

RunSeries read_series(const fs::path& run, const std::function<bool(const std::string&)>& wants) {
  if (!is_there(run / "log.jsonl"))
    throw DataError((run / "log.jsonl").string() +
                    " is not there. Name the folder of a run, such as runs/digits-1.");
  return SeriesReader(run, wants).read();
}

std::vector<double> smoothed(const std::vector<double>& values, double weight) {
  std::vector<double> smooth;
  double sum = 0;
  double share = 0;  // how much of the whole the values so far have
  for (const double value : values) {
    if (std::isfinite(value)) {
      sum = weight * sum + (1 - weight) * value;
      share = weight * share + (1 - weight);
    }
    smooth.push_back(std::isfinite(value) ? sum / share : value);
  }
  return smooth;
}

}  // namespace hearth
