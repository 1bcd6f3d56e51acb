// What ops learn from the training data before the training.
#include "hearth/base/clock.h"
#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/train/experiment_graph.h"

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

}  // namespace

std::vector<std::string> ExperimentGraph::ops_to_fit() {
  std::vector<std::string> labels;
  for (GraphComponent<SampleOp>& component : sample_ops_)
    if (component.at(end())->needs_fitting()) labels.push_back(component.label());
  return labels;
}

void ExperimentGraph::fit_ops(const std::function<void(const std::string&)>& notice) {
  for (size_t i = 0; i < sample_ops_.size(); ++i) {
    if (!sample_ops_[i].at(end())->needs_fitting()) continue;
    open_source(Mode::kTrain);
    Node found = sample_ops_[i].placed([&] { return fit_op(i, notice); });
    Choice<SampleOp>& choice = options_.data.ops[i];
    for (const Node::Entry& entry : found.entries()) choice = choice.with(entry.key, entry.value);
    sample_ops_[i] = GraphComponent<SampleOp>(sample_ops_[i].label(), choice);
    fitted_.emplace_back(i, std::move(found));
  }
}

// The ops before it as they are in evaluation: what is random in training is no part of the data.
Node ExperimentGraph::fit_op(size_t index, const std::function<void(const std::string&)>& notice) {
  const Moment start = epoch_start(0);
  const std::shared_ptr<SampleOp> op = sample_ops_[index].at(start);
  std::vector<GraphNode> nodes = {source_node(Mode::kTrain)};
  nodes[0].modes = Mode::kEval;
  std::vector<GraphNode> ops = data_nodes(start, Mode::kEval);
  nodes.insert(nodes.end(), ops.begin(), ops.begin() + static_cast<std::ptrdiff_t>(index));
  GraphNode sink;
  sink.name = sample_ops_[index].label();
  sink.reads = op->reads();
  sink.has_effect = true;
  sink.mark = sample_ops_[index].mark();
  sink.infer = [](const std::vector<Spec>&) { return std::vector<Spec>(); };
  nodes.push_back(std::move(sink));
  const Plan plan = compile(nodes, {.mode = Mode::kEval});
  const std::vector<int> values = plan.steps.back().inputs;
  std::vector<Spec> specs;
  for (const int value : values) specs.push_back(plan.values[static_cast<size_t>(value)].spec);
  (void)op->infer(specs);
  const std::unique_ptr<OpFitting> fitting = op->fitting(specs);
  LoaderOptions options = loader_options_without_size(Mode::kEval);
  options.name = "train";
  options.place = loader_options_without_size(Mode::kTrain).place;
  options.batch_size = kFittingBatch;
  const std::string label = sample_ops_[index].label();
  const Stopwatch watch;
  double told = 0;
  int64_t seen = 0;
  FittingRun(std::make_shared<const DataPlan>(make_data_plan(plan, nodes, source(Mode::kTrain))),
             values, options)
      .run(*fitting, [&](int64_t samples) {
        seen += samples;
        if (!notice || watch.seconds() - told < kNoticeSeconds) return;
        told = watch.seconds();
        notice(label + " learns from data.train: " + human_count(static_cast<uint64_t>(seen)) +
               " samples read.");
      });
  if (notice)
    notice(label + " learned from " +
           human_count(static_cast<uint64_t>(source(Mode::kTrain)->size())) +
           " samples of data.train in " + human_seconds(watch.seconds()) + ".");
  return fitting->options();
}

void ExperimentGraph::write_fitted(Node& config) const {
  for (const auto& [index, found] : fitted_) {
    Node& op = config.find("data")->find("ops")->items().at(index);
    if (op.is_scalar())
      op = Node::map({{op.text(), op.mark(), Node::map({}, op.mark())}}, op.mark());
    Node& options = op.entries().front().value;
    if (!options.is_map()) options = Node::map({}, options.mark());
    for (const Node::Entry& entry : found.entries()) options.set(entry.key, entry.value);
  }
}

}  // namespace hearth
