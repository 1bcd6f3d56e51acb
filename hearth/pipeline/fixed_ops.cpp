// Where the ops end that may run once and for all.
#include "hearth/pipeline/fixed_ops.h"

#include <algorithm>
#include <array>

#include "hearth/pipeline/data_nodes.h"

namespace hearth {

namespace {

constexpr std::array kModes = {Mode::kTrain, Mode::kEval, Mode::kTest};

// The ops of one mode; null where one does not live in it.
struct ModeOps {
  std::vector<std::shared_ptr<const SampleOp>> ops;
  size_t fixed = 0;  // before the first that draws or moves with time
};

ModeOps ops_of_mode(std::vector<GraphComponent<SampleOp>>& ops, const Moment& moment, Mode mode) {
  ModeOps found{{}, ops.size()};
  for (size_t i = 0; i < ops.size(); ++i) {
    const GraphNode node = data_node(ops[i], moment, mode);
    const auto& op = std::any_cast<const std::shared_ptr<const SampleOp>&>(node.component);
    const bool is_on = node.modes.has(mode) && node.is_active;
    found.ops.push_back(is_on ? op : nullptr);
    if (is_on && (op->is_random() || node.changes_with_time))
      found.fixed = std::min(found.fixed, i);
  }
  return found;
}

bool has(const std::vector<std::string>& keys, const std::string& key) {
  return std::find(keys.begin(), keys.end(), key) != keys.end();
}

// Whether what op number `first` makes is taken by one from `end` on that would be fused with it.
bool belongs_beyond(const ModeOps& mode, size_t first, size_t end) {
  const auto& op = mode.ops[first];
  if (!op || op->writes().size() != 1) return false;
  const std::string key = op->writes()[0];
  for (size_t i = first + 1; i < mode.ops.size(); ++i) {
    const auto& later = mode.ops[i];
    if (!later) continue;
    const std::vector<std::string> reads = later->reads();
    if (i >= end && !reads.empty() && reads[0] == key)
      if (const auto fused = later->fused_after(op); fused && fused->differs_from_parts())
        return true;
    if (has(later->writes(), key)) return false;
  }
  return false;
}

}  // namespace

size_t fixed_ops(std::vector<GraphComponent<SampleOp>>& ops, const Moment& moment) {
  std::vector<ModeOps> modes;
  size_t end = ops.size();
  for (const Mode mode : kModes) {
    modes.push_back(ops_of_mode(ops, moment, mode));
    end = std::min(end, modes.back().fixed);
  }
  for (size_t i = end; i-- > 0;)
    if (std::any_of(modes.begin(), modes.end(),
                    [&](const ModeOps& mode) { return belongs_beyond(mode, i, end); }))
      end = i;
  return end;
}

}  // namespace hearth
