// Where the first value of a batch that is no finite number comes from.
#include "hearth/train/fault_finder.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/isfinite.h>

#include <algorithm>
#include <set>

#include "hearth/base/text.h"
#include "hearth/tensor/finite.h"
#include "hearth/train/losses_by_sample.h"

namespace hearth {
namespace {

constexpr size_t kMostSamplesNamed = 5;

// Rows with such a value; none when rows are no samples.
std::vector<int64_t> unusable_rows(const at::Tensor& value, int64_t rows) {
  std::vector<int64_t> found;
  if (value.dim() == 0 || value.size(0) != rows) return found;
  const at::Tensor fine =
      at::isfinite(value.detach()).reshape({rows, -1}).all(1).to(at::kCPU).contiguous();
  for (int64_t row = 0; row < rows; ++row)
    if (!fine.data_ptr<bool>()[row]) found.push_back(row);
  return found;
}

// Hooks on every layer of the models, for as long as it lives.
class BadValueListener {
 public:
  BadValueListener(Network& network, int64_t rows) : rows_(rows) {
    for (const auto& model : network.models().all())
      if (model->is_built()) listen(model->layer(), model->name());
  }
  ~BadValueListener() {
    for (Layer* layer : heard_) layer->remove_hook_after();
  }
  BadValueListener(const BadValueListener&) = delete;
  BadValueListener& operator=(const BadValueListener&) = delete;
  [[nodiscard]] const std::optional<FoundFault>& first() const { return first_; }

 private:
  void listen(Layer& layer, const std::string& model) {
    if (!seen_.insert(&layer).second) return;
    layer.add_hook_after([this, model](const Layer& called, at::Tensor& value) {
      if (first_ || !value.defined() || is_finite(value)) return;
      first_ = {said(called, model), unusable_rows(value, rows_)};
    });
    heard_.push_back(&layer);
    for (const auto& [name, child] : layer.children()) listen(*child, model);
  }
  static std::string said(const Layer& layer, const std::string& model) {
    const std::string& kind = layer.choice().name();
    const std::string path = layer.path().empty() ? model : layer.path();
    return "the layer " + path + (kind.empty() ? "" : " (" + kind + ")");
  }

  int64_t rows_;
  std::set<const Layer*> seen_;
  std::vector<Layer*> heard_;
  std::optional<FoundFault> first_;
};

// The ops before anything finds gradients.
std::vector<BoundOp> ops_before_gradients(const std::vector<BoundOp>& ops) {
  const auto end = std::find_if(ops.begin(), ops.end(), [](const BoundOp& bound) {
    return !bound.losses.empty() || bound.is_update();
  });
  return {ops.begin(), end};
}

// Which samples alone make the op's value unusable, for one that makes one value of all of them.
std::vector<int64_t> rows_alone(const BoundOp& bound, const std::vector<at::Tensor>& values,
                                StepContext context, int64_t rows) {
  std::vector<int64_t> found;
  const bool has_samples = std::any_of(bound.inputs.begin(), bound.inputs.end(), [&](int index) {
    const at::Tensor& value = values[static_cast<size_t>(index)];
    return value.defined() && value.dim() > 0 && value.size(0) >= rows;
  });
  if (!has_samples || !bound.op->model_names().empty()) return found;
  context.real_rows = -1;
  context.watch = nullptr;
  for (int64_t row = 0; row < rows; ++row) try {
      std::vector<at::Tensor> inputs;
      for (const int index : bound.inputs) {
        const at::Tensor& value = values[static_cast<size_t>(index)];
        const bool has_rows = value.defined() && value.dim() > 0 && value.size(0) >= rows;
        inputs.push_back(has_rows ? value.detach().narrow(0, row, 1) : value);
      }
      std::vector<at::Tensor> outputs(bound.outputs.size());
      bound.op->run(context, inputs, outputs);
      if (!outputs.empty() && outputs[0].defined() && !is_finite(outputs[0])) found.push_back(row);
    } catch (const std::exception&) {
      return {};  // an op that needs several samples
    }
  return found;
}

// The values of a batch, run up to where anything finds gradients. In training the network gets
// samples alone.
void run_again(Network& network, const std::vector<BoundOp>& ops, const StepContext& given,
               std::vector<at::Tensor>& values) {
  StepContext context = given;
  context.watch = nullptr;
  context.real_rows = -1;
  network.run(ops, context, values);
}

std::string sample_name(const HostBatch& batch, const Source& source, int64_t row) {
  const int64_t sample = batch.samples()[static_cast<size_t>(row)];
  return std::to_string(sample) + " (" + source.describe(sample) + ")";
}

std::optional<FoundFault> fault_of_data(const CompiledPlan& compiled,
                                        const std::vector<at::Tensor>& values, int64_t rows) {
  for (size_t index = 0; index < values.size(); ++index)
    if (values[index].defined() && !is_finite(values[index]))
      return FoundFault{"the data's " + quote(compiled.plan.values[index].key),
                        unusable_rows(values[index], rows)};
  return std::nullopt;
}

std::optional<FoundFault> fault_of_parameters(Network& network) {
  for (const auto& model : network.models().all())
    for (const auto& [name, parameter] : model->layer().handles())
      if (!is_finite(parameter))
        return FoundFault{
            "the parameter " + model->name() + "." + name + ", which an earlier step has spoilt",
            {}};
  return std::nullopt;
}

}  // namespace

std::string FoundFault::text(const HostBatch& batch, const Source& source) const {
  std::vector<std::string> named;
  const std::span<const int64_t> samples = batch.samples();
  for (const int64_t row : rows) {
    if (row >= static_cast<int64_t>(samples.size())) continue;
    if (named.size() == kMostSamplesNamed) {
      named.push_back(std::to_string(rows.size() - kMostSamplesNamed) + " more");
      break;
    }
    named.push_back(sample_name(batch, source, row));
  }
  std::string of;
  if (rows.size() == samples.size() && rows.size() > 1)
    of = ", of all samples of the batch";
  else if (!named.empty())
    of = (rows.size() == 1 ? ", of sample " : ", of samples ") + join(named, ", ");
  return "It comes from " + where + of + ".";
}

std::optional<FoundFault> find_fault(Network& network, const CompiledPlan& compiled,
                                     const HostBatch& batch, const StepContext& given) {
  BatchRunner runner(network);
  runner.load(compiled, batch);
  std::vector<at::Tensor> values = runner.values();
  const int64_t rows = batch.real_rows() > 0 ? batch.real_rows() : batch.rows();
  if (auto found = fault_of_data(compiled, values, rows)) return found;
  if (auto found = fault_of_parameters(network)) return found;
  const std::vector<BoundOp> ops = ops_before_gradients(compiled.ops);
  const BadValueListener layers(network, rows);
  run_again(network, ops, given, values);
  if (layers.first()) return layers.first();
  const at::AutoGradMode no_gradients(false);
  for (const BoundOp& bound : ops)
    for (const int index : bound.outputs) {
      if (index < 0) continue;
      const at::Tensor& value = values[static_cast<size_t>(index)];
      if (!value.defined() || is_finite(value)) continue;
      const bool is_one = compiled.plan.values[static_cast<size_t>(index)].spec.is_per_batch;
      return FoundFault{bound.label, is_one ? rows_alone(bound, values, given, batch.real_rows())
                                            : unusable_rows(value, rows)};
    }
  return std::nullopt;
}

std::string HighLosses::text(const HostBatch& batch, const Source& source) const {
  std::vector<std::string> named;
  for (size_t i = 0; i < rows.size(); ++i)
    named.push_back(sample_name(batch, source, rows[i]) + ", " + rounded_number(losses[i], 4));
  if (named.empty()) return "";
  return "The loss is highest for " + std::string(named.size() == 1 ? "sample " : "samples ") +
         join(named, "; ") + ".";
}

HighLosses find_high_losses(Network& network, const CompiledPlan& compiled, const HostBatch& batch,
                            const StepContext& context) {
  BatchRunner runner(network);
  runner.load(compiled, batch);
  std::vector<at::Tensor> values = runner.values();
  run_again(network, ops_before_gradients(compiled.ops), context, values);
  std::vector<std::pair<double, int64_t>> found;
  double sum = 0;
  for (const auto& losses : losses_by_sample(compiled, values, batch.real_rows(), context.moment)) {
    double loss = 0;
    for (const auto& [key, value] : losses) loss += value;
    found.emplace_back(-loss, static_cast<int64_t>(found.size()));
    sum += loss;
  }
  const double mean = found.empty() ? 0 : sum / static_cast<double>(found.size());
  std::sort(found.begin(), found.end());
  HighLosses high;
  for (const auto& [loss, row] : found)
    if (-loss > mean && high.rows.size() < kMostSamplesNamed) {
      high.rows.push_back(row);
      high.losses.push_back(-loss);
    }
  return high;
}

}  // namespace hearth
