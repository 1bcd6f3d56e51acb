// What ops learn from the training data before they run.
#include "hearth/pipeline/op_fits.h"

#include <utility>

#include "hearth/base/clock.h"
#include "hearth/base/text.h"
#include "hearth/pipeline/data_nodes.h"

namespace hearth {
namespace {

constexpr int64_t kFittingBatch = 256;
constexpr double kNoticeSeconds = 5;  // between two words on how far it is

// Shows a fitting every sample, as often as it asks for.
class FittingRun {
 public:
  FittingRun(std::shared_ptr<const DataPlan> data, std::vector<int> values, LoaderOptions options)
      : data_(std::move(data)), values_(std::move(values)), options_(std::move(options)) {}

  void run(OpFitting& fitting, const std::function<void(int64_t)>& on_samples) {
    do {
      Loader loader(data_->source->size(), options_, [&](int64_t, int64_t) { return data_; });
      loader.start(0, 0, 1);
      for (HostBatch batch = loader.next(); !batch.is_empty(); batch = loader.next()) {
        add(fitting, batch);
        on_samples(batch.rows());
      }
    } while (!fitting.finish());
  }

 private:
  void add(OpFitting& fitting, const HostBatch& batch) {
    for (int64_t row = 0; row < batch.rows(); ++row) {
      inputs_.clear();
      for (const int value : values_) inputs_.push_back(batch.row(value, row));
      fitting.add(inputs_);
    }
  }

  std::shared_ptr<const DataPlan> data_;
  std::vector<int> values_;
  LoaderOptions options_;
  std::vector<View> inputs_;
};

// Says how far it is, and at the end how long it took.
class FittingNotice {
 public:
  explicit FittingNotice(const FittingJob& job) : job_(job) {}

  void add(int64_t samples) {
    seen_ += samples;
    if (!job_.notice || watch_.seconds() - told_ < kNoticeSeconds) return;
    told_ = watch_.seconds();
    job_.notice(job_.label + " learns from data.train: " +
                human_count(static_cast<uint64_t>(seen_)) + " samples read.");
  }

  void end() const {
    if (!job_.notice) return;
    job_.notice(job_.label + " learned from " +
                human_count(static_cast<uint64_t>(job_.source->size())) +
                " samples of data.train in " + human_seconds(watch_.seconds()) + ".");
  }

 private:
  const FittingJob& job_;
  Stopwatch watch_;
  double told_ = 0;
  int64_t seen_ = 0;
};

}  // namespace

Node fitted_options(FittingJob job) {
  job.nodes.push_back(onlooker_node(job.label, job.op->reads(), job.mark));
  const Plan plan = compile(job.nodes, {.mode = Mode::kEval});
  const std::vector<int> values = plan.steps.back().inputs;
  std::vector<Spec> specs;
  for (const int value : values) specs.push_back(plan.values[static_cast<size_t>(value)].spec);
  (void)job.op->infer(specs);
  const std::unique_ptr<OpFitting> fitting = job.op->fitting(specs);
  LoaderOptions options = job.loader;
  options.name = "train";
  options.batch_size = kFittingBatch;
  options.order = {};
  FittingNotice notice(job);
  FittingRun(std::make_shared<const DataPlan>(make_data_plan(plan, job.nodes, job.source)), values,
             options)
      .run(*fitting, [&](int64_t samples) { notice.add(samples); });
  notice.end();
  return fitting->options();
}

std::vector<Choice<SampleOp>> fitted_ops(std::vector<Choice<SampleOp>> ops,
                                         const std::shared_ptr<const Source>& source,
                                         const LoaderOptions& loader) {
  const Moment start;
  auto components = graph_components("data.ops", ops);
  std::vector<GraphNode> nodes = {source_node("data.train", source->keys(), Mode::kEval)};
  for (size_t i = 0; i < ops.size(); ++i) {
    if (const std::shared_ptr<const SampleOp> op = components[i].at(start); op->needs_fitting()) {
      const Node found = components[i].placed([&] {
        return fitted_options(
            {components[i].label(), components[i].mark(), op, nodes, source, loader});
      });
      for (const Node::Entry& entry : found.entries()) ops[i] = ops[i].with(entry.key, entry.value);
      components[i] = GraphComponent<SampleOp>(components[i].label(), ops[i]);
    }
    nodes.push_back(data_node(components[i], start, Mode::kEval));
  }
  return ops;
}

}  // namespace hearth
