// What traces ask of the trainer: lines of the log, files, an evaluation in the middle of an epoch.
#include <ATen/core/Tensor.h>

#include <nlohmann/json.hpp>

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/config/file_name.h"
#include "hearth/format/csv.h"
#include "hearth/format/png.h"
#include "hearth/tensor/convert.h"
#include "hearth/train/trainer.h"

namespace hearth {
namespace {

Image picture_of(const at::Tensor& tensor) {
  const at::Tensor planes = tensor.dim() == 2 ? tensor.unsqueeze(0) : tensor;
  const int64_t channels = planes.dim() == 3 ? planes.size(0) : 0;
  if ((channels != 1 && channels != 3 && channels != 4) || planes.numel() == 0)
    throw GraphError(
        "save_image takes [height, width] or [channels, height, width] with 1, 3 or 4 "
        "channels, but got " +
        describe(tensor) + ".");
  const at::Tensor bytes =
      tensor.is_floating_point() ? planes.mul(255).round().clamp(0, 255).nan_to_num(0) : planes;
  const at::Tensor rows = bytes.to(at::kCPU, at::kByte).permute({1, 2, 0}).contiguous();
  Image image{planes.size(2), planes.size(1), channels, {}};
  const auto* pixels = rows.data_ptr<uint8_t>();
  image.pixels.assign(pixels, pixels + rows.numel());
  return image;
}

std::string text_of(const RunTable& table) {
  std::string text = csv_line(table.columns);
  for (const std::vector<std::string>& row : table.rows) text += csv_line(row);
  return text;
}

}  // namespace

std::vector<Layer*> Trainer::layers(const std::string& pattern) {
  std::vector<Layer*> found;
  for (const auto& model : experiment_.network().models().all()) {
    if (!model->is_built()) continue;
    const bool is_named = pattern.starts_with(model->name() + ".");
    const std::string below = is_named ? pattern.substr(model->name().size() + 1) : pattern;
    for (Layer* layer : model->layer().matching(below)) found.push_back(layer);
  }
  return found;
}

// Only what training comes to is part of the log: an evaluation after it may be done, or not.
void Trainer::record(Event event) {
  if (!keeper_ || !is_fitting_) return;
  event.step = traces_.step_now(position_.step);
  event.epoch = position_.epoch;
  if (traces_.is_in_evaluation())
    held_.push_back(std::move(event));
  else
    keeper_->log(std::move(event));
}

void Trainer::keep_evaluation() {
  for (Event& event : held_) keeper_->log(std::move(event));
  held_.clear();
}

void Trainer::forget_evaluation(const Json& traces_before) {
  held_.clear();
  traces_.restore(traces_before);
}

std::string Trainer::save_file(const std::string& kind, const std::string& name,
                               const std::string& ending, std::function<std::string()> content) {
  if (const auto fault = name_fault(name, NameRule::kFile))
    throw ConfigError("the " + kind + "'s name " + *fault);
  if (!keeper_ || !is_fitting_) return "";
  const std::string path =
      kind + "s/" + name + "/step-" + std::to_string(traces_.step_now(position_.step)) + ending;
  keeper_->write_file(path, std::move(content));
  record({kind, 0, 0, 0, {}, {{"name", name}, {"file", path}}});
  return path;
}

std::string Trainer::save_table(const std::string& name, RunTable table) {
  return save_file("table", name, ".csv", [kept = std::move(table)] { return text_of(kept); });
}

std::string Trainer::save_image(const std::string& name, const at::Tensor& image) {
  return save_file("image", name, ".png",
                   [picture = picture_of(image)] { return encode_png(picture); });
}

// Interrupted, it is asked for still, and done after a resume.
void Trainer::evaluate_if_asked() {
  if (!is_evaluation_asked_) return;
  const std::vector<DataSet> sets = experiment_.sets(Mode::kEval);
  const Json traces_before = traces_.state();
  std::vector<decltype(evaluate(Mode::kEval))> measured;
  for (const DataSet& set : sets) {
    measured.push_back(evaluate(set));
    if (!measured.back()) return forget_evaluation(traces_before);
  }
  keep_evaluation();
  is_evaluation_asked_ = false;
  for (size_t i = 0; i < sets.size(); ++i) record(sets[i].text(), sets[i], *measured[i]);
  for (size_t i = 0; i < sets.size(); ++i) watch_metrics(sets[i], *measured[i]);
}

}  // namespace hearth
