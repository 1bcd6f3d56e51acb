// A trained model as one that says which token comes next.
#include "hearth/train/generation/next_token_model.h"

#include <ATen/ops/arange.h>

#include <algorithm>

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/nn/sequence_memory.h"
#include "hearth/train/generation/find_tokenizer.h"

namespace hearth {
namespace {

constexpr int64_t kTrialPlaces = 6;
// Scores that differ by more of the largest one are others, and not the same rounded.
constexpr double kTrialTolerance = 1e-4;

[[noreturn]] void refuse(const std::string& reason) {
  throw ConfigError("this run cannot continue a text: " + reason);
}

bool holds_tokens(const Spec& spec) {
  return spec.dtype == DType::kInt64 && spec.shape.size() == 1 && spec.classes > 0 &&
         !spec.is_per_batch;
}

// A score of each token at every place.
bool scores_tokens(const Spec& spec, const Spec& tokens) {
  return is_floating(spec.dtype) && spec.shape.size() == 2 && spec.shape[0] >= tokens.classes &&
         spec.shape[1] == tokens.shape[0] && !spec.is_per_batch;
}

bool are_same(const at::Tensor& left, const at::Tensor& right) {
  const double largest = right.abs().max().item<double>();
  return left.sub(right).abs().max().item<double>() <= kTrialTolerance * largest;
}

void take_limits(const Layer& layer, std::optional<int64_t>& most) {
  if (const auto* limit = dynamic_cast<const PlaceLimit*>(&layer))
    most = std::min(limit->most_places(), most.value_or(limit->most_places()));
  for (const auto& [name, child] : layer.children()) take_limits(*child, most);
}

}  // namespace

NextTokenModel::NextTokenModel(PredictionEngine& engine) : engine_(engine) {
  find_scores();
  find_most_places();
  find_tokens();
  try {
    if (looks_ahead())
      refuse(
          "its scores of a place change with tokens after it, as those of a model for masked words "
          "do, so that they are none of the next token.");
  } catch (const GraphError& error) {
    refuse("its model takes no texts of other lengths than the training data's. " +
           std::string(error.what()));
  }
  can_remember_ = remembers_truly();
}

// The last thing that a model makes of tokens alone which has the form of such scores.
void NextTokenModel::find_scores() {
  const CompiledPlan usual = engine_.compiled(engine_.outputs());
  std::string key;
  for (const BoundOp& op : usual.ops) {
    if (op.op->model_names().empty()) continue;
    for (const int input : op.inputs)
      for (const int output : op.outputs)
        if (input >= 0 && output >= 0) {
          const PlanValue& from = usual.plan.values[static_cast<size_t>(input)];
          const PlanValue& to = usual.plan.values[static_cast<size_t>(output)];
          if (holds_tokens(from.spec) && scores_tokens(to.spec, from.spec)) key = to.key;
        }
  }
  if (key.empty())
    refuse(
        "its model scores no next token. That takes a model such as gpt, whose input is tokens and "
        "which gives a score for each token at every place.");
  compiled_ = engine_.compiled({key});
  output_ = static_cast<size_t>(compiled_.plan.fetches.front());
  std::vector<std::string> inputs;
  for (size_t i = 0; i < compiled_.plan.values.size(); ++i) {
    if (!compiled_.plan.values[i].crosses_to_network) continue;
    input_ = i;
    inputs.push_back(quote(compiled_.plan.values[i].key));
  }
  if (inputs.size() != 1 || !holds_tokens(compiled_.plan.values[input_].spec))
    refuse("its model needs " + join(inputs, ", ") + ", and not tokens alone.");
  vocabulary_ = compiled_.plan.values[input_].spec.classes;
}

void NextTokenModel::find_most_places() {
  const int64_t length = compiled_.plan.values[input_].spec.shape[0];
  if (length != kAnyLength) most_places_ = length;
  for (const auto& model : engine_.network().models().all())
    take_limits(model->layer(), most_places_);
}

void NextTokenModel::find_tokens() {
  const std::string& key = compiled_.plan.values[input_].key;
  const auto found = find_tokenizer(engine_.options(), engine_.specs(), key);
  if (!found)
    refuse("nobody knows which text the tokens of " + quote(key) +
           " stand for. They must come from the source `text` or the op `tokenize`.");
  tokenizer_ = *found;
}

at::Tensor NextTokenModel::computed(const at::Tensor& tokens) const {
  std::vector<at::Tensor> values(compiled_.plan.values.size());
  values[input_] = tokens.to(engine_.network().models().device);
  engine_.infer(compiled_, values);
  return values[output_];
}

at::Tensor NextTokenModel::scores(const at::Tensor& tokens) const {
  const at::Tensor all = computed(tokens);
  return all.select(2, all.size(2) - 1).to(at::kCPU, at::kFloat).contiguous();
}

at::Tensor NextTokenModel::trial_tokens() const {
  const int64_t length = std::min(kTrialPlaces, most_places_.value_or(kTrialPlaces));
  return at::arange(length, at::kLong).mul(7).add(3).remainder(vocabulary_).unsqueeze(0);
}

bool NextTokenModel::looks_ahead() const {
  const at::Tensor tokens = trial_tokens();
  const int64_t last = tokens.size(1) - 1;
  const at::Tensor before = computed(tokens).narrow(2, 0, last);
  const at::Tensor other = tokens.clone();
  other.select(1, last).add_(1).remainder_(vocabulary_);
  const at::Tensor after = computed(other).narrow(2, 0, last);
  return last > 0 && !before.isnan().any().item<bool>() && !are_same(after, before);
}

// Layers that look at other places, but know of no memory, would see new places alone: whatever a
// model is made of, what counts is that it says the same.
bool NextTokenModel::remembers_truly() const {
  const at::Tensor tokens = trial_tokens();
  const int64_t length = tokens.size(1);
  SequenceMemory memory(1, length);
  at::Tensor found;
  try {
    for (int64_t place = 0; place < length;) {
      const int64_t count = place == 0 ? (length + 1) / 2 : 1;
      memory.remember({0}, count, [&] { found = scores(tokens.narrow(1, place, count)); });
      place += count;
    }
  } catch (const GraphError&) {
    return false;
  }
  return are_same(found, scores(tokens));
}

}  // namespace hearth
