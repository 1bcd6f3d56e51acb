// The ranks of a run that make steps of what comes first.
#include "hearth/network/step_gathering.h"

#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "hearth/kernels/threads/one_compute_thread.h"
#include "hearth/launch/cluster_error.h"

namespace hearth {
namespace {

constexpr int64_t kNoMore = -1;  // in the place of a round

TensorPacket packet_of_ask(StepLedger::Ask ask) {
  TensorPacket packet = std::move(ask.found);
  packet.values = {{"round", ask.round},
                   {"step", ask.step},
                   {"live", ask.live},
                   {"news", {ask.news.is_interrupted, ask.news.seconds, ask.news.is_saving}},
                   {"found", std::move(packet.values)}};
  if (ask.slot) packet.values["slot"] = *ask.slot;
  return packet;
}

StepLedger::Ask ask_of_packet(int rank, TensorPacket packet) {
  const Json values = std::move(packet.values);
  StepLedger::Ask ask;
  ask.rank = rank;
  ask.round = values.at("round");
  ask.step = values.at("step");
  ask.live = values.at("live");
  const Json& news = values.at("news");
  ask.news = {news.at(0).get<bool>(), news.at(1).get<double>(), news.at(2).get<bool>()};
  if (values.contains("slot")) ask.slot = values.at("slot").get<int64_t>();
  ask.found = {std::move(packet.tensors), values.at("found")};
  return ask;
}

}  // namespace

StepGathering::StepGathering(std::shared_ptr<Group> group, Options options)
    : group_(group ? std::move(group) : std::make_shared<Group>()),
      ledger_({.ranks = group_->size(),
               .slots = options.slots,
               .aggregate = options.aggregate,
               .backlog_bytes = options.backlog_bytes,
               .check = [this] { group_->check(); }}) {}

StepGathering::~StepGathering() {
  ledger_.fail(std::make_exception_ptr(ClusterError("The first rank ended early.")));
  for (std::jthread& clerk : clerks_) clerk.request_stop();
}

std::optional<int64_t> StepGathering::begin(int64_t step, int64_t live) {
  ++round_;
  training_step_ = step;
  live_ = live;
  has_waited_ = false;
  slot_.reset();
  step_.reset();
  if (!std::exchange(is_open_, true)) serve_all();
  group_->count_operation("step " + std::to_string(step + 1));
  return ask({}, {});
}

std::optional<int64_t> StepGathering::give(TensorPacket found) {
  return ask(slot_, std::move(found));
}

// Who is named as late is who has begun less: one who computes, beside one who only waits.
std::optional<int64_t> StepGathering::ask(std::optional<int64_t> slot, TensorPacket found) {
  const std::string what = "gradients of step " + std::to_string(training_step_ + 1);
  if (slot && !std::exchange(has_waited_, true)) group_->count_operation(what);
  StepLedger::Ask ask{.rank = group_->rank(),
                      .round = round_,
                      .step = training_step_,
                      .live = live_,
                      .news = news_,
                      .slot = slot,
                      .found = std::move(found)};
  group_->while_waiting(
      what, [&] { slot_ = is_first() ? ask_ledger(std::move(ask)) : ask_first(std::move(ask)); });
  if (!slot_ && !std::exchange(has_waited_, true)) group_->count_operation(what);
  return slot_;
}

std::optional<int64_t> StepGathering::ask_ledger(StepLedger::Ask ask) {
  const StepLedger::Answer answer = ledger_.ask(std::move(ask));
  if (!answer.slot) step_ = GatheredStep::of(TensorPacket::of(answer.step));
  return answer.slot;
}

std::optional<int64_t> StepGathering::ask_first(const StepLedger::Ask& ask) {
  const std::string what = "gradients of step " + std::to_string(training_step_ + 1);
  group_->send_to(0, what, packet_of_ask(ask).bytes());
  TensorPacket answer = TensorPacket::of(group_->receive_from(0, what));
  if (answer.values.contains("slot")) return answer.values.at("slot").get<int64_t>();
  step_ = GatheredStep::of(std::move(answer));
  return std::nullopt;
}

void StepGathering::serve_all() {
  if (!is_first()) return;
  for (int rank = 1; rank < group_->size(); ++rank)
    clerks_.emplace_back([this, rank](const std::stop_token& stop) {
      compute_with_one_thread();
      try {
        serve(rank, stop);
      } catch (...) {
        ledger_.fail(std::current_exception());
      }
    });
}

void StepGathering::serve(int rank, const std::stop_token& stop) {
  while (true) {
    const at::Tensor bytes = group_->await_from(rank, stop);
    if (!bytes.defined()) return;
    TensorPacket packet = TensorPacket::of(bytes);
    if (packet.values.at("round") == kNoMore) return;
    const StepLedger::Answer answer = ledger_.ask(ask_of_packet(rank, std::move(packet)));
    const at::Tensor reply =
        answer.slot ? TensorPacket{{}, {{"slot", *answer.slot}}}.bytes() : answer.step;
    group_->send_to(rank, "a step", reply);
  }
}

void StepGathering::finish() {
  if (!std::exchange(is_open_, false)) return;
  const std::string what = "the last step";
  if (!is_first()) return group_->send_to(0, what, TensorPacket{{}, {{"round", kNoMore}}}.bytes());
  group_->while_waiting(what, [&] {
    for (std::jthread& clerk : clerks_) clerk.join();
  });
  clerks_.clear();
  group_->check();
}

void StepGathering::replay(StepLedger::Records records) {
  is_replayed_ = true;
  ledger_.replay(std::move(records));
}

void StepGathering::count_from_here() { ledger_.count_from(round_ + 1); }

std::vector<int64_t> StepGathering::late() { return ledger_.late(); }

}  // namespace hearth
