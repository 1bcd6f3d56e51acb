// Driven by jpeg.py: batches of JPEG files, cropped, resized, flipped and normalized: FOLDER
// WORKERS EPOCHS.
#include <cstdio>
#include <cstdlib>
#include <exception>

#include "hearth/base/clock.h"
#include "hearth/config/registry.h"
#include "hearth/core/graph.h"
#include "hearth/data/loader.h"
#include "hearth/data/ops/image/decode.h"
#include "hearth/data/ops/image/flip.h"
#include "hearth/data/ops/image/normalize.h"
#include "hearth/data/ops/image/random_resized_crop.h"
#include "hearth/data/sources/image_folder.h"

namespace hearth {
namespace {

constexpr int64_t kBatch = 32;

void add_op(std::vector<GraphNode>& nodes, const Choice<SampleOp>& choice) {
  const std::shared_ptr<const SampleOp> op = registry<SampleOp>().make(choice);
  GraphNode node{.name = "data.ops " + choice.name(), .place = Place::kSample};
  node.reads = op->reads();
  node.writes = op->writes();
  node.infer = [op](const std::vector<Spec>& specs) { return op->infer(specs); };
  node.component = op;
  nodes.push_back(std::move(node));
}

std::shared_ptr<const DataPlan> plan_of(const std::shared_ptr<const Source>& source) {
  GraphNode files{.name = "data.train image_folder", .place = Place::kSource};
  std::vector<Spec> specs;
  for (const KeySpec& key : source->keys()) {
    files.writes.push_back(key.key);
    specs.push_back(key.spec);
  }
  files.infer = [specs](const std::vector<Spec>&) { return specs; };
  std::vector<GraphNode> nodes = {files};
  add_op(nodes, sample_ops::decode());
  add_op(nodes, sample_ops::random_resized_crop({.size = {224}}));
  add_op(nodes, sample_ops::flip());
  add_op(nodes,
         sample_ops::normalize({.mean = {0.485, 0.456, 0.406}, .std = {0.229, 0.224, 0.225}}));
  GraphNode sink{.name = "network", .reads = files.writes, .has_effect = true};
  sink.infer = [](const std::vector<Spec>&) { return std::vector<Spec>(); };
  nodes.push_back(sink);
  return std::make_shared<const DataPlan>(make_data_plan(compile(nodes, {}), nodes, source));
}

void measure(const std::string& folder, int workers, int64_t epochs) {
  const std::shared_ptr<Source> source =
      registry<Source>().make(sources::image_folder({.folder = folder}));
  source->open();
  const auto plan = plan_of(source);
  LoaderOptions options{.batch_size = kBatch, .workers = workers, .depth = 4};
  options.shuffle = true;
  options.epochs = epochs + 1;
  Loader loader(source->size(), options, [&](int64_t, int64_t) { return plan; });
  const int64_t warm_up = (source->size() + kBatch - 1) / kBatch;
  for (int64_t i = 0; i < warm_up; ++i) (void)loader.next();
  const Stopwatch watch;
  int64_t rows = 0;
  for (HostBatch batch = loader.next(); !batch.is_empty(); batch = loader.next())
    rows += batch.rows();
  std::printf("{\"rate\": %.1f, \"images\": %lld}\n", static_cast<double>(rows) / watch.seconds(),
              static_cast<long long>(rows));
}

}  // namespace
}  // namespace hearth

int main(int count, char** words) {
  if (count != 4) return 2;
  try {
    hearth::measure(words[1], std::atoi(words[2]), std::atoll(words[3]));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
