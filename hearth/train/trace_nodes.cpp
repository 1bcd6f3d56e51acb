// Traces as nodes of the graph.
#include "hearth/train/trace_nodes.h"

#include "hearth/base/text.h"

namespace hearth {
namespace {

using When = std::optional<Modes>;

bool is_heard(const Interest& interest, Mode mode, const When& when) {
  const Modes wanted = when && follows_when(interest.on) ? *when : interest.usual_modes();
  return wanted.has(mode) && modes_of(interest.on).has(mode);
}

std::vector<Interest> heard_in(const std::vector<Interest>& interests, Mode mode,
                               const When& when) {
  std::vector<Interest> heard;
  for (const Interest& interest : interests)
    if (is_heard(interest, mode, when)) heard.push_back(interest);
  return heard;
}

Modes heard_modes(const std::vector<Interest>& interests, const When& when) {
  Modes modes;
  for (const Mode mode : kAllModes)
    if (!heard_in(interests, mode, when).empty()) modes.add(mode);
  return modes;
}

// A `when` that changes nothing, or leaves nothing, is a slip.
void check_when(const std::string& label, const std::vector<Interest>& interests,
                const Modes& when) {
  Modes possible;
  bool is_told = false;
  for (const Interest& interest : interests) {
    if (!follows_when(interest.on)) continue;
    possible.add(modes_of(interest.on));
    for (const Mode mode : kAllModes) is_told = is_told || is_heard(interest, mode, when);
  }
  if (is_told) return;
  if (possible.is_empty())
    throw ConfigError(label +
                      " is told of the run and its epochs, whatever the mode. Leave 'when' out.");
  throw ConfigError(label + " is told of what happens in " + join(possible.names(), ", ") +
                    " only, but 'when' says " + join(when.names(), ", ") + ".");
}

// An interest in minutes, which are no function of the step, shows here and not in mid-training.
void check_times(const std::vector<Interest>& interests, const TrainingLength& length) {
  for (const Interest& interest : interests) (void)interest.every.steps(length);
}

GraphNode trace_node(GraphComponent<Trace>& component, size_t number, Mode mode,
                     const Moment& moment) {
  const std::shared_ptr<Trace> trace = component.at(moment);
  const std::vector<Interest> all = trace->interests();
  const When& when = component.window().modes;
  component.placed([&] {
    if (when) check_when(component.label(), all, *when);
    check_times(all, moment.length);
  });
  TraceInGraph hearing{number, heard_in(all, mode, when)};
  const bool hears_batches =
      std::any_of(hearing.interests.begin(), hearing.interests.end(),
                  [](const Interest& interest) { return has_batch(interest.on); });
  const auto infer = [trace, hears_batches](const std::vector<Spec>& inputs) {
    if (hears_batches) trace->check(inputs);
    return std::vector<Spec>();
  };
  GraphNode node =
      component.node(moment, mode,
                     {.place = Place::kRecord,
                      .reads = hears_batches ? trace->reads() : std::vector<std::string>(),
                      .has_effect = true,
                      .infer = infer,
                      .component = hearing});
  node.modes = heard_modes(all, when);
  return node;
}

}  // namespace

std::vector<GraphNode> trace_nodes(std::vector<GraphComponent<Trace>>& traces, Mode mode,
                                   const Moment& moment) {
  std::vector<GraphNode> nodes;
  for (size_t i = 0; i < traces.size(); ++i) {
    GraphNode node = trace_node(traces[i], i, mode, moment);
    if (!node.modes.is_empty()) nodes.push_back(std::move(node));
  }
  return nodes;
}

Modes batch_modes(const std::vector<Interest>& interests, const std::optional<Modes>& when) {
  Modes modes;
  for (const Mode mode : kAllModes)
    for (const Interest& interest : heard_in(interests, mode, when))
      if (has_batch(interest.on)) modes.add(mode);
  return modes;
}

void add_listeners(const GraphNode& node, const PlanStep& step, Listeners& listeners) {
  const auto& hearing = std::any_cast<const TraceInGraph&>(node.component);
  for (const Interest& interest : hearing.interests)
    listeners.add({hearing.trace, interest, step.inputs});
}

}  // namespace hearth
