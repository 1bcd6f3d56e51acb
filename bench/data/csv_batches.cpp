// Driven by csv.py: opens a CSV file, takes the first batch, then an epoch of shuffled batches.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>

#include "hearth/base/clock.h"
#include "hearth/config/registry.h"
#include "hearth/core/graph.h"
#include "hearth/data/loader.h"
#include "hearth/data/sources/csv.h"

namespace hearth {
namespace {

constexpr int64_t kBatch = 256;

std::shared_ptr<const DataPlan> plan_of(const std::shared_ptr<const Source>& source) {
  GraphNode node{.name = "csv", .place = Place::kSource};
  GraphNode sink{.name = "network", .has_effect = true};
  std::vector<Spec> specs;
  for (const KeySpec& key : source->keys()) {
    node.writes.push_back(key.key);
    sink.reads.push_back(key.key);
    specs.push_back(key.spec);
  }
  node.infer = [specs](const std::vector<Spec>&) { return specs; };
  sink.infer = [](const std::vector<Spec>&) { return std::vector<Spec>(); };
  const std::vector<GraphNode> nodes = {node, sink};
  return std::make_shared<const DataPlan>(make_data_plan(compile(nodes, {}), nodes, source));
}

double first_feature_sum(const HostBatch& batch) {
  double sum = 0;
  for (int64_t row = 0; row < batch.rows(); ++row) {
    const float value = batch.row(0, row).as<float>()[0];
    if (!std::isnan(value)) sum += value;  // a missing one
  }
  return sum;
}

void measure(const std::string& file, int workers) {
  const Stopwatch watch;
  const std::shared_ptr<Source> source =
      registry<Source>().make(sources::csv({.file = {file}, .target = {"label"}}));
  source->open();
  const auto plan = plan_of(source);
  LoaderOptions options{.batch_size = kBatch, .workers = workers, .shuffle = true, .epochs = 2};
  Loader loader(source->size(), options, [&](int64_t, int64_t) { return plan; });
  loader.start(0);
  double sum = first_feature_sum(loader.next());
  const double first = watch.seconds();
  loader.start(1);
  const Stopwatch epoch;
  int64_t rows = 0;
  for (HostBatch batch = loader.next(); !batch.is_empty(); batch = loader.next()) {
    rows += batch.rows();
    sum += first_feature_sum(batch);
  }
  std::printf("{\"first\": %.6f, \"rate\": %.1f, \"rows\": %lld, \"sum\": %.3f}\n", first,
              static_cast<double>(rows) / epoch.seconds(), static_cast<long long>(rows), sum);
}

}  // namespace
}  // namespace hearth

int main(int count, char** words) {
  if (count != 3) return 2;
  try {
    hearth::measure(words[1], std::atoi(words[2]));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 0;
}
