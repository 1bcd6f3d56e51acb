// Where the time of training goes: forward by timed calls, backward by the calls that made the
// autograd nodes.
#include "hearth/nn/time_profile.h"

#include <ATen/SequenceNumber.h>
#include <ATen/record_function.h>

#include <algorithm>
#include <limits>
#include <memory>

#include "hearth/base/error.h"

namespace hearth {
namespace {

constexpr size_t kMostEvents = 1'000'000;

// Nodes that add to a parameter's gradient are not numbered; LibTorch runs them right after the
// node that computed it.
constexpr uint64_t kUnnumberedNode = std::numeric_limits<uint64_t>::max();

// LibTorch's callbacks are plain functions; they find the profile here.
thread_local TimeProfile* listening_profile = nullptr;

std::unique_ptr<at::ObserverContext> on_node_begin(const at::RecordFunction& node) {
  if (listening_profile != nullptr)
    listening_profile->enter_node(static_cast<uint64_t>(node.seqNr()));
  return nullptr;
}

void on_node_end(const at::RecordFunction&, at::ObserverContext*) {
  if (listening_profile != nullptr) listening_profile->leave_node();
}

double seconds_between(std::chrono::steady_clock::time_point begin,
                       std::chrono::steady_clock::time_point end) {
  return std::chrono::duration<double>(end - begin).count();
}

}  // namespace

TimeProfile::TimeProfile() {
  if (listening_profile != nullptr)
    throw InternalError("a profile is made while another one of this thread lives.");
  listening_profile = this;
  callback_ = at::addThreadLocalCallback(at::RecordFunctionCallback(on_node_begin, on_node_end)
                                             .scopes({at::RecordScope::BACKWARD_FUNCTION}));
}

TimeProfile::~TimeProfile() {
  at::removeCallback(callback_);
  listening_profile = nullptr;
}

void TimeProfile::enter(const std::string& name, double multiply_adds,
                        double backward_multiply_adds) {
  TimeCosts& costs = costs_[name];
  ++costs.calls;
  costs.multiply_adds += multiply_adds;
  costs.backward_multiply_adds += backward_multiply_adds;
  origins_.push_back({at::sequence_number::peek(), &costs});
  // What lies between two backward passes is not autograd's.
  if (!frames_.empty()) frames_.back().last_node = {};
  frames_.push_back({&costs, false, Clock::now()});
}

void TimeProfile::leave() {
  finish(Clock::now());
  origins_.push_back(
      {at::sequence_number::peek(), frames_.empty() ? &unknown_ : frames_.back().costs});
}

void TimeProfile::enter_node(uint64_t sequence_number) {
  const Clock::time_point now = Clock::now();
  if (!frames_.empty()) count_gap(frames_.back(), now);
  last_maker_ = maker_of(sequence_number);
  frames_.push_back({last_maker_, true, now});
}

void TimeProfile::leave_node() {
  const Clock::time_point now = Clock::now();
  finish(now);
  if (!frames_.empty()) frames_.back().last_node = now;
}

void TimeProfile::finish(Clock::time_point now) {
  const Frame frame = frames_.back();
  frames_.pop_back();
  const double seconds = seconds_between(frame.begin, now);
  double& own = frame.is_backward ? frame.costs->backward_seconds : frame.costs->forward_seconds;
  own += seconds - frame.inner_seconds;
  if (events_.size() < kMostEvents)
    events_.push_back(
        {frame.costs, frame.is_backward, seconds_between(made_, frame.begin), seconds});
  if (!frames_.empty()) frames_.back().inner_seconds += seconds;
}

void TimeProfile::count_gap(Frame& frame, Clock::time_point now) {
  if (frame.is_backward || frame.last_node == Clock::time_point()) return;
  const double seconds = seconds_between(frame.last_node, now);
  autograd_seconds_ += seconds;
  frame.inner_seconds += seconds;
}

// The innermost call that ran when the node was made.
TimeCosts* TimeProfile::maker_of(uint64_t sequence_number) {
  if (sequence_number == kUnnumberedNode) return last_maker_;
  const auto after = std::upper_bound(
      origins_.begin(), origins_.end(), sequence_number,
      [](uint64_t number, const Origin& origin) { return number < origin.sequence_number; });
  return after == origins_.begin() ? &unknown_ : std::prev(after)->costs;
}

}  // namespace hearth
