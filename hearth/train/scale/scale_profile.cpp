// What a step of an experiment takes on this machine.
#include "hearth/train/scale/scale_profile.h"

#include <algorithm>
#include <map>

#include "hearth/network/network.h"
#include "hearth/train/estimator.h"

namespace hearth::scale {
namespace {

constexpr int64_t kStepsForMemory = 2;

// When the gradients of this layer are there. One that is computed along with another has no time
// of its own: it is there with what it lies in, at the latest with the last.
double ready_seconds(std::string layer, const std::map<std::string, double>& ready, double last) {
  for (;;) {
    if (const auto found = ready.find(layer); found != ready.end()) return found->second;
    const size_t dot = layer.rfind('.');
    if (dot == layer.npos) return last;
    layer.resize(dot);
  }
}

std::vector<ReadyGradient> gradients_of(Network& network, const ProfileReport& report) {
  std::map<std::string, double> ready;
  for (const GradientReady& entry : report.ready) ready[entry.layer] = entry.seconds;
  std::vector<ReadyGradient> gradients;
  for (const auto& model : network.models().all()) {
    if (!model->is_built()) continue;
    for (const auto& [name, tensor] : model->layer().handles()) {
      if (!tensor.requires_grad()) continue;
      const std::string path = model->name() + "." + name;
      gradients.push_back(
          {static_cast<int64_t>(tensor.nbytes()),
           ready_seconds(path.substr(0, path.rfind('.')), ready, report.backward_seconds)});
    }
  }
  return gradients;
}

double bytes_of(const std::vector<NamedTensor>& tensors) {
  double bytes = 0;
  for (const auto& [name, tensor] : tensors) bytes += static_cast<double>(tensor.nbytes());
  return bytes;
}

ModelMemory memory_of(Network& network) {
  ModelMemory memory;
  for (const auto& model : network.models().all()) {
    if (!model->is_built()) continue;
    memory.parameters += bytes_of(model->layer().handles()) + bytes_of(model->layer().buffers());
    for (const auto& [name, tensor] : model->layer().handles())
      if (tensor.requires_grad()) memory.gradients += static_cast<double>(tensor.nbytes());
    const double remembered = bytes_of(model->optimizers().state().tensors);
    memory.optimizer += remembered;
    memory.averages += remembered - static_cast<double>(model->optimizers().shared_bytes());
    for (SharedParameter& parameter : model->optimizers().shared_parameters()) {
      parameter.name = model->name() + "/" + parameter.name;
      memory.shared.push_back(std::move(parameter));
    }
  }
  return memory;
}

}  // namespace

double ModelMemory::largest_share(int64_t ranks) const {
  const double all = static_cast<double>(hearth::largest_share(shared, 1));
  if (all == 0) return 1.0 / static_cast<double>(ranks);
  return static_cast<double>(hearth::largest_share(shared, static_cast<int>(ranks))) / all;
}

EstimatorMeasured measure_estimator(Estimator& estimator, int64_t steps) {
  EstimatorMeasured measured;
  const Report trained = estimator.step(kStepsForMemory);
  measured.memory = memory_of(estimator.network());
  const double model =
      measured.memory.parameters + measured.memory.gradients + measured.memory.optimizer;
  measured.step.other_bytes = std::max(static_cast<double>(trained.peak_memory_bytes) - model, 0.0);
  const ProfileReport report = estimator.profile(steps);
  measured.threads = report.threads;
  measured.step.samples = report.samples_per_step;
  ComputedStep& step = measured.step.step;
  step.backward_seconds = report.backward_seconds;
  for (const ProfileRow& row : report.rows)
    if (row.name.starts_with("optimizer (")) step.update_seconds += row.forward_seconds;
  step.forward_seconds =
      std::max(report.step_seconds - step.backward_seconds - step.update_seconds, 0.0);
  step.gradients = gradients_of(estimator.network(), report);
  return measured;
}

ScaleProfile::ScaleProfile(MeasuredStep large, MeasuredStep small)
    : large_(std::move(large)), small_(std::move(small)) {}

// What a small step was measured to take less than its share of a large one is noise: nothing takes
// less than no time.
double ScaleProfile::between(double large, double small, double samples) const {
  const double apart = large_.samples - small_.samples;
  const double of_sample = apart > 0 ? (large - small) / apart : large / large_.samples;
  const double of_each = std::clamp(of_sample, 0.0, large / large_.samples);
  return large + of_each * (samples - large_.samples);
}

ComputedStep ScaleProfile::step(double samples) const {
  const ComputedStep& large = large_.step;
  const ComputedStep& small = small_.step;
  ComputedStep step;
  step.forward_seconds = between(large.forward_seconds, small.forward_seconds, samples);
  step.backward_seconds = between(large.backward_seconds, small.backward_seconds, samples);
  step.update_seconds = large.update_seconds;
  for (size_t i = 0; i < large.gradients.size(); ++i)
    step.gradients.push_back(
        {large.gradients[i].bytes,
         between(large.gradients[i].seconds,
                 i < small.gradients.size() ? small.gradients[i].seconds : 0, samples)});
  return step;
}

double ScaleProfile::other_bytes(double samples) const {
  return between(large_.other_bytes, small_.other_bytes, samples);
}

}  // namespace hearth::scale
