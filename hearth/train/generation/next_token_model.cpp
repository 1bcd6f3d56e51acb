// A trained model as one that says which token comes next.
#include "hearth/train/generation/next_token_model.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/tensor.h>

#include <algorithm>

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/data/batch_ops/pad_longest.h"
#include "hearth/nn/sequence_memory.h"
#include "hearth/tensor/convert.h"
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

// The key that a batch op says by `mask` which places of are real; empty when none does.
std::string masked_key(const ExperimentOptions& options, const std::string& mask) {
  for (const Choice<BatchOp>& op : options.data.batch_ops) {
    if (op.name() != "pad_longest") continue;
    const auto padded = batch_ops::PadLongestOptions::schema().read(op.options());
    if (padded.mask == mask) return padded.key;
  }
  return "";
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

void give(const SourceText& source, SequenceMemory& memory) {
  std::vector<at::Tensor> values;
  for (const at::Tensor& value : {source.tokens, source.mask})
    if (value.defined()) values.push_back(value);
  memory.give(values);
}

NextTokenModel::NextTokenModel(PredictionEngine& engine) : engine_(engine) {
  find_scores();
  find_inputs();
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
}

const Spec& NextTokenModel::spec_of(size_t value) const {
  return compiled_.plan.values[value].spec;
}

const std::string& NextTokenModel::key_of(size_t value) const {
  return compiled_.plan.values[value].key;
}

// Tokens of the text, perhaps those of another one that it reads, and masks of both.
void NextTokenModel::find_inputs() {
  std::vector<size_t> tokens;
  std::vector<size_t> masks;
  std::vector<std::string> keys;
  for (size_t i = 0; i < compiled_.plan.values.size(); ++i) {
    if (!compiled_.plan.values[i].crosses_to_network) continue;
    keys.push_back(quote(key_of(i)));
    (holds_tokens(spec_of(i)) ? tokens : masks).push_back(i);
  }
  const bool is_masked = std::ranges::all_of(masks, [&](size_t mask) {
    return std::ranges::any_of(tokens, [&](size_t each) {
      return masked_key(engine_.options(), key_of(mask)) == key_of(each);
    });
  });
  if (tokens.empty() || tokens.size() > 2 || !is_masked)
    refuse("its model needs " + join(keys, ", ") + ", and not tokens alone.");
  input_ = tokens.front();
  if (tokens.size() == 2) {
    source_ = SourceInput{tokens.back()};
    take_masks(masks);
    if (!writes(tokens.front(), tokens.back())) {
      std::swap(input_, source_->tokens);
      take_masks(masks);
      if (!writes(tokens.back(), tokens.front()))
        refuse("its model needs " + join(keys, ", ") +
               ", but scores a next token for the places of none of them.");
    }
  } else {
    take_masks(masks);
  }
  vocabulary_ = spec_of(input_).classes;
}

void NextTokenModel::take_masks(const std::vector<size_t>& masks) {
  mask_.reset();
  if (source_) source_->mask.reset();
  for (const size_t mask : masks) {
    const std::string key = masked_key(engine_.options(), key_of(mask));
    if (key == key_of(input_))
      mask_ = mask;
    else
      source_->mask = mask;
  }
}

// Whether there are as many scores as places of this input, beside a source of another length.
bool NextTokenModel::writes(size_t input, size_t source) {
  const Spec& tokens = spec_of(input);
  if (!scores_tokens(spec_of(output_), tokens)) return false;
  vocabulary_ = tokens.classes;
  const at::Tensor trial = trial_tokens();
  const int64_t other = trial.size(1) > 1 ? trial.size(1) - 1 : 2;
  const at::Tensor read = at::arange(other, at::kLong).remainder(spec_of(source).classes);
  try {
    return computed(trial, source_of({read.data_ptr<int64_t>(), read.data_ptr<int64_t>() + other}))
               .size(2) == trial.size(1);
  } catch (const GraphError&) {
    return false;
  }
}

void NextTokenModel::find_most_places() {
  const int64_t length = compiled_.plan.values[input_].spec.shape[0];
  if (length != kAnyLength) most_places_ = length;
  for (const auto& model : engine_.network().models().all())
    take_limits(model->layer(), most_places_);
}

void NextTokenModel::find_tokens() {
  tokenizer_ = tokenizer_of(input_);
  if (!source_) return;
  source_->tokenizer = tokenizer_of(source_->tokens);
  if (!tokenizer_.begin)
    refuse(
        "nothing stands before the first token of a new text. Write `begin` in the op tokenize "
        "of " +
        quote(key_of(input_)) + ", and `end` for where it ends.");
}

RunTokenizer NextTokenModel::tokenizer_of(size_t input) const {
  const std::string& key = key_of(input);
  const auto found = find_tokenizer(engine_.options(), engine_.specs(), key);
  if (!found)
    refuse("nobody knows which text the tokens of " + quote(key) +
           " stand for. They must come from the source `text` or the op `tokenize`.");
  return *found;
}

SourceText NextTokenModel::source_of(const std::vector<int64_t>& tokens) const {
  const at::Device device = engine_.network().models().device;
  SourceText source{at::tensor(tokens, at::kLong).unsqueeze(0).to(device)};
  if (source_->mask)
    source.mask =
        at::ones(source.tokens.sizes(),
                 source.tokens.options().dtype(scalar_type(spec_of(*source_->mask).dtype)));
  return source;
}

at::Tensor NextTokenModel::computed(const at::Tensor& tokens, const SourceText& source) const {
  std::vector<at::Tensor> values(compiled_.plan.values.size());
  values[input_] = tokens.to(engine_.network().models().device);
  if (mask_)
    values[*mask_] = at::ones(tokens.sizes(),
                              values[input_].options().dtype(scalar_type(spec_of(*mask_).dtype)));
  if (source_) values[source_->tokens] = source.tokens;
  if (source_ && source_->mask) values[*source_->mask] = source.mask;
  engine_.infer(compiled_, values);
  return values[output_];
}

at::Tensor NextTokenModel::scores(const at::Tensor& tokens, const SourceText& source) const {
  const at::Tensor all = computed(tokens, source);
  return all.select(2, all.size(2) - 1).to(at::kCPU, at::kFloat).contiguous();
}

at::Tensor NextTokenModel::trial_tokens() const {
  const int64_t length = std::min(kTrialPlaces, most_places_.value_or(kTrialPlaces));
  return at::arange(length, at::kLong).mul(7).add(3).remainder(vocabulary_).unsqueeze(0);
}

SourceText NextTokenModel::trial_source() const {
  if (!source_) return {};
  const int64_t length = spec_of(source_->tokens).shape[0];
  std::vector<int64_t> tokens;
  for (int64_t i = 0; i < (length == kAnyLength ? kTrialPlaces - 1 : length); ++i)
    tokens.push_back((5 * i + 2) % spec_of(source_->tokens).classes);
  return source_of(tokens);
}

bool NextTokenModel::looks_ahead() const {
  const at::Tensor tokens = trial_tokens();
  const SourceText source = trial_source();
  const int64_t last = tokens.size(1) - 1;
  const at::Tensor before = computed(tokens, source).narrow(2, 0, last);
  const at::Tensor other = tokens.clone();
  other.select(1, last).add_(1).remainder_(vocabulary_);
  const at::Tensor after = computed(other, source).narrow(2, 0, last);
  return last > 0 && !before.isnan().any().item<bool>() && !are_same(after, before);
}

// Layers that look at other places, but know of no memory, would see new places alone: whatever a
// model is made of, what counts is that it says the same.
bool NextTokenModel::remembers_truly() const {
  const at::Tensor tokens = trial_tokens();
  const SourceText source = trial_source();
  const int64_t length = tokens.size(1);
  SequenceMemory memory(1, length);
  give(source, memory);
  at::Tensor found;
  try {
    for (int64_t place = 0; place < length;) {
      const int64_t count = place == 0 ? (length + 1) / 2 : 1;
      memory.remember({0}, count, [&] { found = scores(tokens.narrow(1, place, count), source); });
      place += count;
    }
  } catch (const GraphError&) {
    return false;
  }
  return are_same(found, scores(tokens, source));
}

}  // namespace hearth
