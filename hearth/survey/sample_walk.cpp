// Samples of a set through some of its ops, made by the loader that training uses.
#include "hearth/survey/sample_walk.h"

#include <algorithm>

#include "hearth/data/loader.h"
#include "hearth/pipeline/data_nodes.h"

namespace hearth {
namespace {

constexpr int64_t kWalkBatch = 16;

// The first sample of each of equally long stretches.
class SpreadOrder : public Order {
 public:
  explicit SpreadOrder(int64_t samples) : samples_(samples) {}
  std::unique_ptr<const EpochOrder> epoch(const OrderRequest& request) const override {
    OrderRequest fewer = request;
    fewer.samples = samples_;
    // Without a product that 64 bits could not hold.
    const int64_t stretch = request.samples / samples_;
    const int64_t rest = request.samples % samples_;
    return cut_order(fewer,
                     [stretch, rest](int64_t at) { return at * stretch + std::min(at, rest); });
  }

 private:
  int64_t samples_;
};

// Without the sample's name before it, which is said beside it.
std::string reason_alone(const std::string& reason, const std::string& name) {
  const std::string place = " (" + name + "): ";
  const size_t found = reason.find(place);
  return found == std::string::npos ? reason : reason.substr(found + place.size());
}

}  // namespace

SampleWalk::SampleWalk(WalkRequest request) : request_(std::move(request)) {
  samples_ = std::min(request_.samples, request_.source->size());
  compile_plan();
}

void SampleWalk::compile_plan() {
  std::vector<GraphNode> nodes = {
      source_node("the source", request_.source->keys(), request_.mode)};
  std::vector<GraphComponent<SampleOp>> components = graph_components("data.ops", request_.ops);
  for (GraphComponent<SampleOp>& component : components) {
    GraphNode node = data_node(component, request_.moment, request_.mode);
    if (node.is_active && node.modes.has(request_.mode)) nodes.push_back(std::move(node));
  }
  const std::vector<std::string> keys = keys_at_end(nodes);
  nodes.push_back(onlooker_node("survey", keys));
  const Plan plan = compile(nodes, {.mode = request_.mode});
  values_ = plan.steps.back().inputs;
  for (size_t k = 0; k < keys.size(); ++k)
    keys_.push_back({keys[k], plan.values[static_cast<size_t>(values_[k])].spec});
  plan_ = std::make_shared<const DataPlan>(make_data_plan(plan, nodes, request_.source));
}

std::vector<BrokenSample> SampleWalk::visit(const Visit& visit, const Progress& progress) const {
  std::vector<BrokenSample> broken;
  if (samples_ == 0) return broken;
  LoaderOptions options{
      .name = "survey", .batch_size = kWalkBatch, .workers = request_.workers, .depth = 4};
  options.seed = request_.seed;
  options.order = std::make_shared<SpreadOrder>(samples_);
  options.on_error = OnError::kReplace;
  Loader loader(request_.source->size(), options, [this](int64_t, int64_t) { return plan_; });
  loader.start(0);
  std::vector<View> views(values_.size());
  int64_t done = 0;
  for (HostBatch batch = loader.next(); !batch.is_empty(); batch = loader.next()) {
    auto replaced = batch.replacements().begin();
    for (int64_t row = 0; row < batch.real_rows(); ++row) {
      // What an op filters out is not broken.
      while (replaced != batch.replacements().end() && replaced->substitute == kNoSample)
        ++replaced;
      const int64_t sample = batch.samples()[static_cast<size_t>(row)];
      if (replaced != batch.replacements().end() && replaced->row == row) {
        const int64_t which = replaced->sample;
        const std::string name = request_.source->describe(which);
        broken.push_back({which, name, reason_alone(replaced->reason, name)});
        ++replaced;
        continue;
      }
      for (size_t k = 0; k < views.size(); ++k) views[k] = batch.row(values_[k], row);
      visit(sample, views);
    }
    done += batch.rows();
    if (progress) progress(done, samples_);
  }
  return broken;
}

}  // namespace hearth
