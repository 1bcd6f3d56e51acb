// How often the nearest of all other samples is of the same identity.
#include "hearth/metric/metrics/retrieval/retrieval.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/cdist.h>
#include <c10/core/GradMode.h>

#include <limits>

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/config/registry.h"
#include "hearth/metric/class_answers.h"
#include "hearth/metric/metric.h"
#include "hearth/tensor/class_scores.h"

namespace hearth::metrics {
namespace {

constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();

// Sums over the samples of which there is another.
struct RetrievalSums {
  double samples = 0;
  double nearest = 0;
  double among_k = 0;
  double precision = 0;
};

// Samples that were gathered, on the host, without those that do not count.
struct Gallery {
  at::Tensor points;  // double [N, F]
  at::Tensor labels;  // int64 [N]

  // Compares some of the samples with all others.
  void add(int64_t from, int64_t to, int64_t k, RetrievalSums& sums) const {
    const int64_t others = labels.size(0) - 1;
    const at::Tensor rows = at::arange(from, to);
    at::Tensor distances = at::cdist(points.slice(0, from, to), points);
    distances.scatter_(1, rows.unsqueeze(1), std::numeric_limits<double>::infinity());
    // Equal distances in the order the samples came in, on every machine.
    const at::Tensor order = std::get<1>(distances.sort(/*stable=*/true, 1, /*descending=*/false));
    const at::Tensor found = labels.index_select(0, order.slice(1, 0, others).flatten());
    const at::Tensor is_same =
        found.view({to - from, others}).eq(labels.slice(0, from, to).unsqueeze(1)).to(at::kDouble);
    const at::Tensor count = is_same.sum(1);
    const at::Tensor places = at::arange(1, others + 1, at::kDouble);
    const at::Tensor precision = is_same.cumsum(1).div(places).mul(is_same).sum(1);
    sums.samples += count.gt(0).sum().item<double>();
    sums.nearest += is_same.select(1, 0).sum().item<double>();
    sums.among_k += std::get<0>(is_same.slice(1, 0, k).max(1)).sum().item<double>();
    sums.precision += precision.div(count.clamp_min(1)).sum().item<double>();
  }
};

class Retrieval : public Metric {
 public:
  using Options = RetrievalOptions;
  explicit Retrieval(Options options) : options_(std::move(options)) {}

  [[nodiscard]] std::vector<std::string> reads() const override { return options_.in; }
  [[nodiscard]] std::string name() const override { return options_.out; }
  [[nodiscard]] bool is_better_when_higher() const override { return true; }
  [[nodiscard]] std::vector<std::string> numbers() const override {
    return {"mean_average_precision", "rank_" + std::to_string(options_.k)};
  }

  void check(const std::vector<Spec>& inputs) override {
    if (inputs[0].dtype != DType::kFloat32 || inputs[0].shape.size() != 1)
      throw GraphError("compares points, float32 [B, F], but " + quote(options_.in[0]) + " is " +
                       inputs[0].text() + ". Name the key of what the network makes of a sample.");
    if (inputs[1].dtype != DType::kInt64 || !inputs[1].shape.empty())
      throw GraphError("needs one identity per sample, int64 [B], but " + quote(options_.in[1]) +
                       " is " + inputs[1].text() + ".");
  }

  void reset() override {
    points_.clear();
    labels_.clear();
  }
  void update(std::span<const at::Tensor> inputs, const Moment&) override {
    points_.push_back(inputs[0].detach());
    // Labels may lie in a batch's memory, which others wait for.
    labels_.push_back(inputs[1].detach().clone());
  }
  void merge(const Metric& other) override {
    const auto& later = dynamic_cast<const Retrieval&>(other);
    points_.insert(points_.end(), later.points_.begin(), later.points_.end());
    labels_.insert(labels_.end(), later.labels_.begin(), later.labels_.end());
  }

  [[nodiscard]] Measured measured() const override {
    constexpr int64_t kRows = 256;  // bounds the table of distances
    const c10::AutoGradMode no_grad(false);
    RetrievalSums sums;
    const Gallery gallery = gathered();
    const int64_t samples = gallery.labels.defined() ? gallery.labels.size(0) : 0;
    for (int64_t from = 0; samples > 1 && from < samples; from += kRows)
      gallery.add(from, std::min(from + kRows, samples), options_.k, sums);
    const auto share = [&](double sum) { return sums.samples > 0 ? sum / sums.samples : kNothing; };
    Measured measured(share(sums.nearest));
    measured.numbers = {{numbers()[0], share(sums.precision)}, {numbers()[1], share(sums.among_k)}};
    return measured;
  }

  [[nodiscard]] State state() const override {
    State state;
    if (points_.empty()) return state;
    state.tensors = {{"points", at::cat(points_)}, {"labels", at::cat(labels_)}};
    return state;
  }
  void restore(const State& state) override {
    reset();
    if (state.tensors.empty()) return;
    points_ = {state.tensor("points")};
    labels_ = {state.tensor("labels")};
  }

 private:
  [[nodiscard]] Gallery gathered() const {
    if (points_.empty()) return {};
    const at::Tensor labels = at::cat(labels_).to(at::kCPU);
    const at::Tensor counted = labels.ne(kIgnoredLabel).nonzero().flatten();
    at::Tensor points = at::cat(points_).to(at::kCPU, at::kDouble).index_select(0, counted);
    if (options_.distance == "cosine") points = points / points.norm(2, 1, true).clamp_min(1e-12);
    return {points, labels.index_select(0, counted)};
  }

  Options options_;
  std::vector<at::Tensor> points_;
  std::vector<at::Tensor> labels_;
};

}  // namespace

const Schema<RetrievalOptions>& RetrievalOptions::schema() {
  using O = RetrievalOptions;
  static const auto fields =
      Schema<O>()
          .field(&O::in, "in",
                 "Keys of the points and of the identities. Identities of -100 do not count.")
          .field(&O::distance, "distance",
                 "What near means: of the points themselves, or of their directions.",
                 one_of({"euclidean", "cosine"}))
          .field(&O::k, "k", "How many of the nearest the further number rank_k looks at.",
                 at_least(1), at_most(1000))
          .field(&O::out, "out", "Name the value is reported under.", not_empty())
          .check("in must name two keys: the points and the identities.",
                 [](const O& options) { return options.in.size() == 2; });
  return fields;
}

Choice<Metric> retrieval(RetrievalOptions options) { return choose<Metric>("retrieval", options); }

void register_retrieval(Registry<Metric>& metrics) {
  metrics.add<Retrieval>(
      "retrieval",
      "Share of samples whose nearest other sample is of the same identity, of those that have "
      "another; with the mean average precision, and the share with one among the k nearest.");
}

}  // namespace hearth::metrics
