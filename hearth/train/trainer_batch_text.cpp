// One batch as the network gets it, in words.
#include <ATen/core/grad_mode.h>

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/tensor/convert.h"
#include "hearth/train/trainer.h"

namespace hearth {
namespace {

constexpr size_t kMostSamplesShown = 8;

std::string range_text(const at::Tensor& value) {
  if (value.numel() == 0 || value.scalar_type() == at::kBool) return "";
  const at::Tensor numbers = value.to(at::kDouble);
  return ", from " + shortest_number(numbers.min().item<double>()) + " to " +
         shortest_number(numbers.max().item<double>()) + ", mean " +
         shortest_number(numbers.mean().item<double>());
}

}  // namespace

std::string Trainer::batch_text(Mode mode) {
  const std::vector<DataSet> sets = experiment_.sets(mode);
  if (sets.empty()) throw ConfigError("data." + std::string(name(mode)) + " is not in the config.");
  const CompiledPlan compiled = experiment_.compiled(sets.front(), experiment_.epoch_start(0));
  LoaderOptions options = experiment_.loader_options(sets.front(), 1);
  options.workers = options.most_workers = 0;
  Loader loader(experiment_.source(sets.front())->size(), options,
                [&](int64_t, int64_t) { return compiled.data; });
  loader.start(0, 0, 1);
  const HostBatch batch = loader.next();
  const at::AutoGradMode no_gradients(false);
  BatchRunner runner(experiment_.network());
  runner.load(compiled, batch);
  std::string text = sets.front().text() + ", " + std::to_string(batch.real_rows()) + " samples:";
  for (size_t i = 0; i < batch.samples().size() && i < kMostSamplesShown; ++i)
    text += " " + experiment_.source(sets.front())->describe(batch.samples()[i]);
  text += batch.samples().size() > kMostSamplesShown ? " ...\n" : "\n";
  for (size_t index = 0; index < compiled.plan.values.size(); ++index)
    if (const at::Tensor& value = runner.values()[index]; value.defined())
      text += compiled.plan.values[index].key + ": " + describe(value) + range_text(value) + "\n";
  return text;
}

}  // namespace hearth
