// Batch normalization over images, with what often follows it: an addition and a relu.
#include "hearth/kernels/normalization/batch_norm.h"

#include <ATen/Parallel.h>
#include <ATen/ops/batch_norm.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/full.h>
#include <ATen/ops/relu.h>
#include <c10/core/GradMode.h>
#include <torch/csrc/autograd/custom_function.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "hearth/kernels/activation/activation_values.h"
#include "hearth/kernels/normalization/batch_norm_avx2.h"
#include "hearth/kernels/parts.h"
#include "hearth/kernels/second_order.h"

namespace hearth {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

constexpr int64_t kBatchNormGrain = 64;  // rows worth a thread

struct BatchNormSize {
  explicit BatchNormSize(const at::Tensor& input)
      : channels(input.size(1)), rows(input.numel() / input.size(1)) {}
  int64_t channels;
  int64_t rows;
};

// Two sums a channel, by parts of the rows; added in the order of the parts, so that one thread
// count gives one result.
class ChannelSums {
 public:
  ChannelSums(const BatchNormSize& size, int64_t parts)
      : channels_(size.channels), values_(static_cast<size_t>(parts * 2 * size.channels)) {}
  [[nodiscard]] double* first(int64_t part) { return values_.data() + part * 2 * channels_; }
  [[nodiscard]] double* second(int64_t part) { return first(part) + channels_; }
  void add_parts() {
    for (size_t i = static_cast<size_t>(2 * channels_); i < values_.size(); ++i)
      values_[i % static_cast<size_t>(2 * channels_)] += values_[i];
  }

 private:
  int64_t channels_;
  std::vector<double> values_;
};

template <class Sum>  // Sum(part, first row, rows)
ChannelSums sum_channels_of(const BatchNormSize& size, const Sum& sum) {
  const int64_t parts = std::clamp<int64_t>(size.rows / kBatchNormGrain, 1, at::get_num_threads());
  ChannelSums sums(size, parts);
  for_parts(size.rows, parts,
            [&](int64_t part, int64_t first, int64_t rows) { sum(sums, part, first, rows); });
  sums.add_parts();
  return sums;
}

// What the backward pass needs of the forward one, a channel each: mean, 1/deviation, scale, and
// the offset of the forward pass.
class BatchNormFacts {
 public:
  explicit BatchNormFacts(const at::Tensor& kept) : kept_(kept), channels_(kept.size(1)) {}
  [[nodiscard]] static at::Tensor make(const at::Tensor& weight) {
    return at::empty({4, weight.numel()}, weight.options());
  }
  [[nodiscard]] float* mean() const { return kept_.data_ptr<float>(); }
  [[nodiscard]] float* inverse() const { return mean() + channels_; }
  [[nodiscard]] float* scale() const { return mean() + 2 * channels_; }
  [[nodiscard]] float* offset() const { return mean() + 3 * channels_; }

 private:
  const at::Tensor& kept_;
  int64_t channels_;
};

// Of a channel: what its values add up to, and their squares.
struct ChannelMoments {
  double mean;
  double variance;
};

ChannelMoments moments_of(double sum, double square, double count) {
  const double mean = sum / count;
  const double difference = square / count - mean * mean;
  return {mean, difference < 0 ? 0 : difference};  // what is not a number stays none
}

// What a shard has for everybody: sums, sums of squares, and how many values each is of.
at::Tensor shared_sums(ChannelSums& sums, const std::vector<float>& shift, double count) {
  const auto channels = static_cast<int64_t>(shift.size());
  at::Tensor all = at::empty({2 * channels + 1}, at::kDouble);
  auto* values = all.data_ptr<double>();
  for (int64_t c = 0; c < channels; ++c) {
    const double from = shift[static_cast<size_t>(c)];
    const double moved = sums.first(0)[c];
    values[c] = moved + count * from;
    values[channels + c] = sums.second(0)[c] + 2 * from * moved + count * from * from;
  }
  values[2 * channels] = count;
  return all;
}

// Returns how many values of a channel the statistics are of.
double use_batch_statistics(const at::Tensor& input, const BatchNormTensors& tensors,
                            const BatchNormSettings& settings, const BatchNormFacts& facts,
                            int64_t number) {
  const BatchNormSize size(input);
  const float* values = input.data_ptr<float>();
  const std::vector<float> shift(values, values + size.channels);
  ChannelSums sums =
      sum_channels_of(size, [&](ChannelSums& into, int64_t part, int64_t first, int64_t rows) {
        batch_sums_avx2(
            {values + first * size.channels, shift.data(), into.first(part), into.second(part)},
            rows, size.channels);
      });
  float* running_mean = tensors.running_mean.data_ptr<float>();
  float* running_var = tensors.running_var.data_ptr<float>();
  auto count = static_cast<double>(size.rows);
  at::Tensor all;
  if (settings.shared != nullptr) {
    all = settings.shared->of(number, shared_sums(sums, shift, count));
    count = all.data_ptr<double>()[2 * size.channels];
  }
  const auto momentum = settings.momentum;
  for (int64_t c = 0; c < size.channels; ++c) {
    ChannelMoments found{};
    if (all.defined()) {
      const auto* total = all.data_ptr<double>();
      found = moments_of(total[c], total[size.channels + c], count);
    } else {
      found = moments_of(sums.first(0)[c], sums.second(0)[c], count);
      found.mean += shift[static_cast<size_t>(c)];
    }
    facts.mean()[c] = static_cast<float>(found.mean);
    facts.inverse()[c] = static_cast<float>(1 / std::sqrt(found.variance + settings.eps));
    running_mean[c] = static_cast<float>((1 - momentum) * running_mean[c] + momentum * found.mean);
    running_var[c] =
        static_cast<float>((1 - momentum) * running_var[c] +
                           momentum * found.variance * count / std::max(count - 1, 1.0));
  }
  for (const at::Tensor* changed : {&tensors.running_mean, &tensors.running_var})
    changed->unsafeGetTensorImpl()->bump_version();
  return count;
}

void use_running_statistics(const BatchNormTensors& tensors, const BatchNormSettings& settings,
                            const BatchNormFacts& facts) {
  for (int64_t c = 0; c < tensors.weight.numel(); ++c) {
    facts.mean()[c] = tensors.running_mean.data_ptr<float>()[c];
    facts.inverse()[c] =
        static_cast<float>(1 / std::sqrt(tensors.running_var.data_ptr<float>()[c] + settings.eps));
  }
}

void set_scale(const BatchNormTensors& tensors, const BatchNormFacts& facts) {
  for (int64_t c = 0; c < tensors.weight.numel(); ++c) {
    facts.scale()[c] = tensors.weight.data_ptr<float>()[c] * facts.inverse()[c];
    facts.offset()[c] = tensors.bias.data_ptr<float>()[c] - facts.mean()[c] * facts.scale()[c];
  }
}

void run_normalize(const at::Tensor& input, const at::Tensor& addend, const at::Tensor& output,
                   const BatchNormFacts& facts, bool relu, Activation activation) {
  const BatchNormSize size(input);
  at::parallel_for(0, size.rows, kBatchNormGrain, [&](int64_t from, int64_t to) {
    const int64_t start = from * size.channels;
    normalize_avx2(
        {input.data_ptr<float>() + start,
         addend.defined() ? addend.data_ptr<float>() + start : nullptr,
         output.data_ptr<float>() + start, facts.scale(), facts.offset(), relu, activation},
        to - from, size.channels);
  });
}

// Gradients of one batch normalization, from what flows in.
class BatchNormGradient {
 public:
  BatchNormGradient(const at::Tensor& input, const at::Tensor& output, const at::Tensor& kept,
                    Activation activation)
      : input_(input),
        output_(output),
        facts_(kept),
        size_(input),
        activation_{activation, facts_.scale(), facts_.offset()} {}

  // Where statistics are of a batch that all shards make up.
  struct Batch {
    int64_t number;  // of the sum they came from; 0: they are of the input alone
    double count;
  };
  // `masked` receives the gradient behind the relu, when it is defined.
  void sum(const at::Tensor& gradient, const at::Tensor& masked, const at::Tensor& by_weight,
           const at::Tensor& by_bias, const Batch& batch) {
    ChannelSums sums =
        sum_channels_of(size_, [&](ChannelSums& into, int64_t part, int64_t first, int64_t rows) {
          const int64_t start = first * size_.channels;
          gradient_sums_avx2(
              {gradient.data_ptr<float>() + start, at_or_null(output_, start),
               input_.data_ptr<float>() + start, facts_.mean(), at_or_null(masked, start),
               into.first(part), into.second(part), activation_},
              rows, size_.channels);
        });
    for (int64_t c = 0; c < size_.channels; ++c) {
      by_bias.data_ptr<float>()[c] = static_cast<float>(sums.first(0)[c]);
      by_weight.data_ptr<float>()[c] = static_cast<float>(sums.second(0)[c] * facts_.inverse()[c]);
    }
    if (batch.number == 0)
      return keep_factors(sums.first(0), sums.second(0), static_cast<double>(size_.rows));
    const at::Tensor own = at::empty({2 * size_.channels}, at::kDouble);
    std::copy_n(sums.first(0), 2 * size_.channels, own.data_ptr<double>());
    const at::Tensor all = shared_gradients(batch.number, own);
    const auto* total = all.data_ptr<double>();
    keep_factors(total, total + size_.channels, batch.count);
  }

  // `gradient` is masked already when the plan's output is not given.
  void run(const at::Tensor& gradient, bool is_masked, bool is_training,
           const at::Tensor& result) const {
    const std::vector<float> zeros(is_training ? 0 : static_cast<size_t>(size_.channels));
    const float* by_value = is_training ? by_value_.data() : zeros.data();
    const float* offset = is_training ? offset_.data() : zeros.data();
    at::parallel_for(0, size_.rows, kBatchNormGrain, [&](int64_t from, int64_t to) {
      const int64_t start = from * size_.channels;
      normalize_gradient_avx2(
          {gradient.data_ptr<float>() + start, is_masked ? nullptr : at_or_null(output_, start),
           input_.data_ptr<float>() + start, facts_.mean(), result.data_ptr<float>() + start,
           facts_.scale(), by_value, offset, activation_},
          to - from, size_.channels);
    });
  }

 private:
  [[nodiscard]] static float* at_or_null(const at::Tensor& tensor, int64_t start) {
    return tensor.defined() ? tensor.data_ptr<float>() + start : nullptr;
  }

  // The mean and the deviation depend on every value: their share of each value's gradient.
  void keep_factors(const double* gradients, const double* products, double count) {
    by_value_.resize(static_cast<size_t>(size_.channels));
    offset_.resize(static_cast<size_t>(size_.channels));
    for (int64_t c = 0; c < size_.channels; ++c) {
      const double inverse = facts_.inverse()[c];
      const double scale = facts_.scale()[c];
      by_value_[static_cast<size_t>(c)] =
          static_cast<float>(-scale * inverse * inverse * products[c] / count);
      offset_[static_cast<size_t>(c)] = static_cast<float>(-scale * gradients[c] / count);
    }
  }

  const at::Tensor& input_;
  const at::Tensor& output_;
  BatchNormFacts facts_;
  BatchNormSize size_;
  ActivationPass activation_;
  std::vector<float> by_value_;
  std::vector<float> offset_;
};

struct BatchNormFunction : torch::autograd::Function<BatchNormFunction> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& input,
                            const at::Tensor& weight, const at::Tensor& bias,
                            const c10::optional<at::Tensor>& addend,
                            const BatchNormTensors& tensors, const BatchNormSettings& settings,
                            bool relu, Activation activation) {
    (void)bias;
    const at::Tensor kept = BatchNormFacts::make(weight);
    const BatchNormFacts facts(kept);
    int64_t number = 0;
    double count = 0;
    if (settings.is_training) {
      if (settings.shared != nullptr) number = settings.shared->next();
      count = use_batch_statistics(input, tensors, settings, facts, number);
    } else {
      use_running_statistics(tensors, settings, facts);
    }
    set_scale(tensors, facts);
    const at::Tensor output = at::empty_like(input);
    run_normalize(input, addend.value_or(at::Tensor()), output, facts, relu, activation);
    context->save_for_backward({input, relu ? output : at::Tensor(), kept});
    context->saved_data["adds"] = addend.has_value();
    context->saved_data["is_training"] = settings.is_training;
    context->saved_data["activation"] = static_cast<int64_t>(activation);
    context->saved_data["number"] = number;
    context->saved_data["count"] = count;
    return output;
  }

  static variable_list backward(AutogradContext* context, const variable_list& gradients) {
    refuse_second_order();
    const variable_list saved = context->get_saved_variables();
    const bool adds = context->saved_data["adds"].toBool();
    const bool relu = saved[1].defined();
    const at::Tensor gradient = gradients[0].contiguous(at::MemoryFormat::ChannelsLast);
    variable_list results(8);
    for (const size_t channel_wise : {1U, 2U})
      results[channel_wise] = at::empty({saved[0].size(1)}, saved[2].options());
    if (adds) results[3] = relu ? at::empty_like(saved[0]) : gradient;
    BatchNormGradient sums(saved[0], saved[1], saved[2],
                           static_cast<Activation>(context->saved_data["activation"].toInt()));
    const bool is_masked = adds && relu;
    sums.sum(gradient, is_masked ? results[3] : at::Tensor(), results[1], results[2],
             {context->saved_data["number"].toInt(), context->saved_data["count"].toDouble()});
    results[0] = at::empty_like(saved[0]);
    sums.run(is_masked ? results[3] : gradient, is_masked,
             context->saved_data["is_training"].toBool(), results[0]);
    return results;
  }
};

// All shards of a batch go the same way, even one of a single value.
bool batch_norm_goes_fast(Kernels kernels, const at::Tensor& input, const BatchNormTensors& tensors,
                          const at::Tensor& addend, bool is_shared) {
  for (const at::Tensor* tensor :
       {&tensors.weight, &tensors.bias, &tensors.running_mean, &tensors.running_var})
    if (!tensor->defined() || !goes_fast(kernels, *tensor)) return false;
  return goes_fast(kernels, input) && input.dim() == 4 &&
         (is_shared || input.numel() > input.size(1)) && tensors.weight.numel() == input.size(1) &&
         (!addend.defined() || (goes_fast(kernels, addend) && addend.sizes() == input.sizes()));
}

at::Tensor channel_wise(const at::Tensor& values, const at::Tensor& input) {
  std::vector<int64_t> sizes(static_cast<size_t>(input.dim()), 1);
  sizes[1] = values.numel();
  return values.view(sizes);
}

void move_running_statistics(const BatchNormTensors& tensors, const at::Tensor& mean,
                             const at::Tensor& variance, double count, double momentum) {
  const c10::AutoGradMode no_gradients(false);
  tensors.running_mean.mul_(1 - momentum).add_(mean, momentum);
  tensors.running_var.mul_(1 - momentum)
      .add_(variance, momentum * count / std::max(count - 1, 1.0));
}

// By the statistics of the batch that all shards make up, with LibTorch's operators.
at::Tensor shared_batch_norm(const at::Tensor& input, const BatchNormTensors& tensors,
                             const BatchNormSettings& settings) {
  std::vector<int64_t> others;
  for (int64_t axis = 0; axis < input.dim(); ++axis)
    if (axis != 1) others.push_back(axis);
  const int64_t channels = input.size(1);
  const at::Tensor values = input.to(at::kDouble);
  const auto own_count = static_cast<double>(input.numel() / channels);
  const at::Tensor all =
      summed_over_shards(*settings.shared, at::cat({values.sum(others), values.square().sum(others),
                                                    at::full({1}, own_count, values.options())}));
  const double count = all[2 * channels].item<double>();
  const at::Tensor mean = all.narrow(0, 0, channels).div(count);
  const at::Tensor variance =
      all.narrow(0, channels, channels).div(count).sub(mean.square()).clamp_min(0);
  move_running_statistics(tensors, mean, variance, count, settings.momentum);
  at::Tensor output = values.sub(channel_wise(mean, input))
                          .mul(channel_wise(variance.add(settings.eps).rsqrt(), input));
  if (tensors.weight.defined())
    output = output.mul(channel_wise(tensors.weight, input)).add(channel_wise(tensors.bias, input));
  return output.to(input.scalar_type());
}

}  // namespace

at::Tensor batch_norm(Kernels kernels, const at::Tensor& input, const BatchNormTensors& tensors,
                      const BatchNormSettings& settings, const at::Tensor& addend, bool relu,
                      Activation activation) {
  const bool is_shared = settings.is_training && settings.shared != nullptr;
  const auto last = at::MemoryFormat::ChannelsLast;
  if (batch_norm_goes_fast(kernels, input, tensors, addend, is_shared)) {
    return BatchNormFunction::apply(input.contiguous(last), tensors.weight, tensors.bias,
                                    optional_tensor(addend, last), tensors, settings, relu,
                                    activation);
  }
  at::Tensor output =
      is_shared ? shared_batch_norm(input, tensors, settings)
                : at::batch_norm(input, tensors.weight, tensors.bias, tensors.running_mean,
                                 tensors.running_var, settings.is_training, settings.momentum,
                                 settings.eps, /*cudnn_enabled=*/true);
  if (addend.defined()) output = output.add(addend);
  return relu ? at::relu(output) : activated(kernels, output, activation);
}

}  // namespace hearth
