// What was found about a learning rate: as text, JSON and a chart.
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "hearth/base/text.h"
#include "hearth/train/finders/learning_rate_finder.h"

namespace hearth {
namespace {

// What is far above the first losses would leave the rest of the curve flat.
double highest_drawn(const RateCurve& curve) {
  double highest = curve.first_loss;
  for (const RatePoint& point : curve.points)
    if (std::isfinite(point.smooth)) highest = std::max(highest, point.smooth);
  return highest;
}

double lowest_drawn(const RateCurve& curve) {
  double lowest = curve.first_loss;
  for (const RatePoint& point : curve.points)
    if (std::isfinite(point.smooth)) lowest = std::min(lowest, point.smooth);
  return lowest;
}

ChartLine upright(const std::string& name, double rate, double low, double high) {
  return {name + " " + rounded_number(rate, 2), {{rate, low}, {rate, high}}, false};
}

std::string configured_text(const SweptRate& rate) {
  return shortest_number(rate.configured) + (rate.is_scheduled ? " at most" : "");
}

}  // namespace

Chart LearningRateFinding::chart() const {
  Chart chart;
  chart.title = "loss over learning rate";
  chart.x_label = "learning rate" + (rates.size() > 1 ? " of " + rates.front().name : "");
  chart.y_label = join(losses, " + ");
  chart.x_kind = AxisKind::kLogarithm;
  const double low = lowest_drawn(curve);
  const double high = highest_drawn(curve);
  ChartLine raw{"loss (as measured)", {}, true};
  ChartLine smooth{"loss (smoothed)", {}, false};
  for (const RatePoint& point : curve.points) {
    if (point.loss <= high) raw.points.push_back({point.rate, point.loss});
    if (std::isfinite(point.smooth)) smooth.points.push_back({point.rate, point.smooth});
  }
  chart.lines = {std::move(raw), std::move(smooth)};
  if (verdict.rate) chart.lines.push_back(upright("suggested", *verdict.rate, low, high));
  if (rates.empty() || curve.points.empty()) return chart;
  const double configured = rates.front().configured;
  if (configured >= curve.points.front().rate && configured <= curve.points.back().rate)
    chart.lines.push_back(upright("configured", configured, low, high));
  return chart;
}

Json LearningRateFinding::to_json() const {
  Json json = {{"points", Json::array()},
               {"first_loss", curve.first_loss},
               {"has_diverged", curve.has_diverged},
               {"losses", losses},
               {"first_step", first_step},
               {"seconds", seconds},
               {"interrupted", was_interrupted},
               {"suggestion", nullptr},
               {"bounds", nullptr},
               {"reason", verdict.reason},
               {"advice", verdict.advice},
               {"optimizers", Json::array()}};
  for (const RatePoint& point : curve.points)
    json["points"].push_back(
        {{"rate", point.rate}, {"loss", point.loss}, {"smooth", point.smooth}});
  if (verdict.rate) json["suggestion"] = *verdict.rate;
  if (verdict.bounds)
    json["bounds"] = {{"low", verdict.bounds->low}, {"high", verdict.bounds->high}};
  for (const SweptRate& rate : rates)
    json["optimizers"].push_back({{"name", rate.name},
                                  {"configured", rate.configured},
                                  {"is_scheduled", rate.is_scheduled},
                                  {"share", rate.share},
                                  {"override", rate.override_text},
                                  {"cyclic_override", rate.cyclic_override}});
  return json;
}

std::string LearningRateFinding::text() const {
  std::string text;
  if (!verdict.rate) {
    text = "no suggestion: " + verdict.reason + "\n";
  } else {
    text = "suggested   " + shortest_number(*verdict.rate) + ": " + verdict.reason + "\n";
    if (verdict.bounds)
      text += "cyclical    from " + shortest_number(verdict.bounds->low) + ", where it begins to " +
              "fall, to " + shortest_number(verdict.bounds->high) + ", before it is unsettled\n";
  }
  for (const SweptRate& rate : rates)
    text += "configured  " + configured_text(rate) + " for " + rate.name +
            (rates.size() > 1 ? ", " + rounded_number(rate.share, 3) + " x the curve's rate" : "") +
            "\n";
  if (losses.size() > 1)
    text += "The curve adds up " + join(losses, ", ") + "; look at one of them with --loss.\n";
  if (!verdict.advice.empty()) text += verdict.advice + "\n";
  if (!verdict.rate) return text;
  text += "\nto set it:\n";
  for (const SweptRate& rate : rates) text += "  " + rate.override_text + "\n";
  if (!verdict.bounds) return text;
  text += "or to let it go up and down:\n";
  for (const SweptRate& rate : rates) text += "  " + shell_word(rate.cyclic_override) + "\n";
  return text;
}

}  // namespace hearth
