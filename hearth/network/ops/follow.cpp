// A model whose parameters follow another's: a teacher that is the average of its pupil, or the
// mean of the last epochs (SWA). It is a model like any other: called, saved, exported.
#include "hearth/network/ops/follow.h"

#include <c10/core/GradMode.h>

#include <algorithm>

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/config/registry.h"
#include "hearth/kernels/weight/weight_order.h"
#include "hearth/network/model.h"
#include "hearth/network/network_op.h"
#include "hearth/schedule/timed.h"

namespace hearth::network_ops {
namespace {

class FollowOp : public NetworkOp {
 public:
  using Options = FollowOptions;
  using TimedOptions = Timed<FollowOptions>;
  explicit FollowOp(TimedOptions options) : timed_(std::move(options)) {}

  [[nodiscard]] std::vector<std::string> reads() const override { return timed_.fixed().after; }
  [[nodiscard]] std::vector<std::string> writes() const override { return {}; }
  [[nodiscard]] bool has_effect() const override { return true; }
  [[nodiscard]] bool looks_at_parameters() const override { return false; }
  [[nodiscard]] Modes modes() const override { return Mode::kTrain; }
  [[nodiscard]] Sharing sharing() const override { return Sharing::kOnce; }
  [[nodiscard]] std::vector<std::string> model_names() const override {
    return {timed_.fixed().model, timed_.fixed().of};
  }

  void bind(ModelSet& models) override {
    follower_ = &models.find(timed_.fixed().model);
    leader_ = &models.find(timed_.fixed().of);
    if (follower_ == leader_)
      throw ConfigError("the model " + quote(timed_.fixed().of) +
                        " cannot follow itself. Name another one as `model`.");
    if (!follower_->optimizers().all().empty())
      throw ConfigError("the model " + quote(follower_->name()) +
                        " has an optimizer, but follows another. Leave the optimizer out.");
  }

  [[nodiscard]] std::vector<Spec> infer(const std::vector<Spec>&) override {
    if (!leader_->is_built())
      throw GraphError("the model " + quote(leader_->name()) +
                       " is never called. Put call before it.");
    // It may be called in evaluation alone.
    if (follower_->is_built()) check_alike();
    return {};
  }

  void run(StepContext& context, std::span<const at::Tensor>, std::span<at::Tensor>) override {
    if (!context.has_updated) return;
    if (count_ == 0) check_follower();
    const c10::AutoGradMode no_grad(false);
    const double kept = share_kept(context.moment);
    ++count_;
    const std::vector<NamedTensor> from = leader_->layer().handles();
    const std::vector<NamedTensor> to = follower_->layer().handles();
    for (size_t i = 0; i < to.size(); ++i) {
      const at::Tensor own = to[i].second.detach();
      const at::Tensor lead = laid_out_like(from[i].second.detach(), own);
      if (kept == 0)
        own.copy_(lead);
      else
        own.add_(lead.sub(own), 1 - kept);
    }
    if (kept == 0) copy_buffers();
  }

  [[nodiscard]] State state() const override {
    State state;
    state.values["count"] = count_;
    return state;
  }
  void restore(const State& state) override { count_ = state.values.value("count", int64_t{0}); }

 private:
  // As long as it is the leader, it has the leader's statistics too.
  void copy_buffers() const {
    const std::vector<NamedTensor> from = leader_->layer().buffers();
    const std::vector<NamedTensor> to = follower_->layer().buffers();
    for (size_t i = 0; i < to.size() && i < from.size(); ++i) to[i].second.copy_(from[i].second);
  }

  // The first values say little: the average starts where the leader is, and forgets sooner early.
  [[nodiscard]] double share_kept(const Moment& moment) const {
    const auto count = static_cast<double>(count_);
    if (timed_.fixed().mean || count_ == 0) return count / (count + 1);
    return std::min(timed_.at(moment).decay, (1 + count) / (10 + count));
  }

  void check_follower() const {
    if (!follower_->is_built())
      throw GraphError("the model " + quote(follower_->name()) +
                       " follows another, but is never called. Put a call of it somewhere.");
    check_alike();
  }

  void check_alike() const {
    const std::vector<NamedTensor> from = leader_->layer().handles();
    const std::vector<NamedTensor> to = follower_->layer().handles();
    bool are_alike = from.size() == to.size();
    for (size_t i = 0; are_alike && i < to.size(); ++i)
      are_alike = from[i].first == to[i].first && from[i].second.numel() == to[i].second.numel();
    if (!are_alike)
      throw GraphError("the model " + quote(follower_->name()) + " follows " +
                       quote(leader_->name()) +
                       ", but they have other parameters. Build both alike.");
  }

  TimedOptions timed_;
  Model* follower_ = nullptr;
  Model* leader_ = nullptr;
  int64_t count_ = 0;  // times it took the leader's parameters in
};

}  // namespace

const Schema<FollowOptions>& FollowOptions::schema() {
  using O = FollowOptions;
  static const auto fields =
      Schema<O>()
          .field(&O::model, "model", "The model that follows; it has no optimizer of its own.",
                 required(), not_empty())
          .field(&O::of, "of", "The model that leads; its update comes before.", not_empty())
          .field(&O::decay, "decay",
                 "Share of its own parameters that stays at each step, as of a moving average; "
                 "early in training less. 0: it is the other model, with its statistics.",
                 at_least(0), below(1))
          .field(
              &O::mean, "mean",
              "Takes the plain mean of all it has seen; with `from: 75%` this is stochastic weight "
              "averaging, which the technique `swa` sets up.")
          .field(&O::after, "after",
                 "Keys that are made before, for nothing else: those of a `call` of the model in "
                 "training, which renews its statistics of batch norms, unless it is frozen by "
                 "`trainable: false`. The trace `recalibrate` measures them before evaluations.");
  return fields;
}

Choice<NetworkOp> follow(FollowOptions options) { return choose<NetworkOp>("follow", options); }

void register_follow(Registry<NetworkOp>& ops) {
  ops.add<FollowOp>("follow",
                    "Lets a model's parameters be the moving average, or the mean, of another's.");
}

}  // namespace hearth::network_ops
