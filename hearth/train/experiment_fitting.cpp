// What ops learn from the training data before the training.
#include "hearth/pipeline/op_fits.h"
#include "hearth/train/experiment_graph.h"

namespace hearth {
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

Node ExperimentGraph::fit_op(size_t index, const std::function<void(const std::string&)>& notice) {
  const Moment start = epoch_start(0);
  GraphNode source_of_training = source_node(Mode::kTrain);
  source_of_training.modes = Mode::kEval;
  FittingJob job{.label = sample_ops_[index].label(),
                 .mark = sample_ops_[index].mark(),
                 .op = sample_ops_[index].at(start),
                 .nodes = {std::move(source_of_training)},
                 .source = source(Mode::kTrain),
                 .loader = loader_options_without_size(Mode::kEval),
                 .notice = notice};
  std::vector<GraphNode> ops = data_nodes(start, Mode::kEval);
  job.nodes.insert(job.nodes.end(), ops.begin(), ops.begin() + static_cast<std::ptrdiff_t>(index));
  job.loader.place = loader_options_without_size(Mode::kTrain).place;
  return fitted_options(std::move(job));
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
