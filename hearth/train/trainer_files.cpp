// Files that traces ask the trainer for: named by one rule, written in the background, and in the
// log by an event.
#include <ATen/core/Tensor.h>

#include <nlohmann/json.hpp>

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/config/file_name.h"
#include "hearth/format/csv.h"
#include "hearth/format/png.h"
#include "hearth/tensor/convert.h"
#include "hearth/train/checkpoint.h"
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

std::string text_of(const RunTable& table, bool has_names = true) {
  std::string text = has_names ? csv_line(table.columns) : "";
  for (const std::vector<std::string>& row : table.rows) text += csv_line(row);
  return text;
}

void check_file_name(const std::string& kind, const std::string& name) {
  if (const auto fault = name_fault(name, NameRule::kFile))
    throw ConfigError("the " + kind + "'s name " + *fault);
}

Event file_event(const std::string& kind, const std::string& name, const std::string& path) {
  return {kind, 0, 0, 0, {}, {{"name", name}, {"file", path}}};
}

}  // namespace

std::string Trainer::file_path(const std::string& kind, const std::string& name,
                               const std::string& ending) const {
  check_file_name(kind, name);
  if (!keeper_ || !is_fitting_) return "";
  const std::string folder = kind.ends_with('s') ? kind : kind + "s";
  return folder + "/" + name + "/step-" + std::to_string(traces_.step_now(position_.step)) + ending;
}

std::string Trainer::save_named_file(const std::string& kind, const std::string& name,
                                     const std::string& ending,
                                     std::function<std::string()> content) {
  const std::string path = file_path(kind, name, ending);
  if (path.empty()) return path;
  keeper_->files().write(path, std::move(content));
  record(file_event(kind, name, path));
  return path;
}

std::string Trainer::save_table(const std::string& name, RunTable table) {
  return save_named_file("table", name, ".csv",
                         [kept = std::move(table)] { return text_of(kept); });
}

std::string Trainer::save_image(const std::string& name, const at::Tensor& image) {
  return save_named_file("image", name, ".png",
                         [picture = picture_of(image)] { return encode_png(picture); });
}

std::string Trainer::save_file(const std::string& name, const std::string& ending,
                               std::function<std::string()> content, bool of_process) {
  if (!of_process) return save_named_file("file", name, ending, std::move(content));
  const std::string path = file_path("file", name, ending);
  if (path.empty()) return path;
  keeper_->files().write(path, std::move(content));
  record_of_process(file_event("file", name, path));
  return path;
}

std::string Trainer::save_weights(const std::string& name) {
  const std::string path = file_path("weights", name, ".safetensors");
  if (path.empty()) return path;
  State weights;
  for (const auto& model : experiment_.network().models().all())
    if (model->is_built()) weights.add("models/" + model->name(), model->weights());
  weights = copy(weights);
  run_->origin.add_to(weights);
  keeper_->files().write_with(path, [kept = std::move(weights)](const fs::path& to) {
    write_state(to, kept, kWeightsKind);
  });
  record(file_event("weights", name, path));
  return path;
}

uint64_t Trainer::append_table(const std::string& name, RunTable table, uint64_t bytes) {
  check_file_name("table", name);
  if (!keeper_ || !is_fitting_) return bytes;
  const std::string path = "tables/" + name + ".csv";
  if (bytes == 0) record(file_event("table", name, path));
  std::string text = text_of(table, bytes == 0);
  const uint64_t end = bytes + text.size();
  keeper_->files().append(path, bytes, std::move(text));
  return end;
}

void Trainer::remove_file(const std::string& path) {
  if (keeper_ && is_fitting_) keeper_->files().remove(path);
}

void Trainer::remove_saved(const std::string& name) {
  if (keeper_ && is_fitting_) keeper_->remove_named(name);
}

void Trainer::record_of_process(Event event) {
  if (!keeper_ || !is_fitting_) return;
  event.step = traces_.step_now(position_.step);
  event.epoch = position_.epoch;
  keeper_->write_history(std::move(event));
}

}  // namespace hearth
