// Group normalization over channels-last images, by the passes of batch normalization: each image
// is a batch of its own, whose channels share their statistics within a group.
#include "hearth/kernels/normalization/group_norm.h"

#include <ATen/Parallel.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/group_norm.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/zeros.h>
#include <torch/csrc/autograd/custom_function.h>

#include <cmath>

#include "hearth/kernels/normalization/batch_norm_avx2.h"
#include "hearth/kernels/second_order.h"

namespace hearth {
namespace {

struct GroupNormSize {
  GroupNormSize(const at::Tensor& input, int64_t group_count)
      : images(input.size(0)),
        channels(input.size(1)),
        rows(input.size(2) * input.size(3)),
        groups(group_count) {}
  [[nodiscard]] int64_t group() const { return channels / groups; }
  [[nodiscard]] int64_t image_values() const { return rows * channels; }
  // Of which a group's statistics are made.
  [[nodiscard]] double count() const { return static_cast<double>(rows * group()); }
  int64_t images;
  int64_t channels;
  int64_t rows;
  int64_t groups;
};

// A mean and 1/deviation for every channel of every image, equal within a group.
struct GroupFacts {
  GroupFacts(const at::Tensor& kept, int64_t image)  // [images, 2, channels]
      : mean(kept.data_ptr<float>() + image * 2 * kept.size(2)), inverse(mean + kept.size(2)) {}
  float* mean;
  float* inverse;
};

// Sums around one value for all channels, so that groups can add them up.
void find_group_facts(const GroupNormSize& size, const float* image, double eps,
                      const GroupFacts& facts) {
  const auto channels = static_cast<size_t>(size.channels);
  std::vector<float> shift(channels);
  for (int64_t c = 0; c < size.channels; ++c)
    shift[static_cast<size_t>(c)] = image[c / size.group() * size.group()];
  std::vector<double> sums(channels), squares(channels);
  batch_sums_avx2({image, shift.data(), sums.data(), squares.data()}, size.rows, size.channels);
  for (int64_t first = 0; first < size.channels; first += size.group()) {
    double sum = 0;
    double square = 0;
    for (int64_t c = first; c < first + size.group(); ++c) {
      sum += sums[static_cast<size_t>(c)];
      square += squares[static_cast<size_t>(c)];
    }
    const double moved = sum / size.count();
    const double difference = square / size.count() - moved * moved;
    const double variance = difference < 0 ? 0 : difference;  // what is not a number stays none
    std::fill_n(facts.mean + first, size.group(),
                static_cast<float>(shift[static_cast<size_t>(first)] + moved));
    std::fill_n(facts.inverse + first, size.group(),
                static_cast<float>(1 / std::sqrt(variance + eps)));
  }
}

void normalize_image(const GroupNormSize& size, const GroupFacts& facts, const float* weight,
                     const float* bias, const float* image, float* output) {
  std::vector<float> scale(static_cast<size_t>(size.channels));
  std::vector<float> offset(static_cast<size_t>(size.channels));
  for (int64_t c = 0; c < size.channels; ++c) {
    const auto at = static_cast<size_t>(c);
    scale[at] = weight[c] * facts.inverse[c];
    offset[at] = bias[c] - facts.mean[c] * scale[at];
  }
  normalize_avx2({image, nullptr, output, scale.data(), offset.data(), false}, size.rows,
                 size.channels);
}

// One image's sums over its rows, a channel each: of the gradients, and of their products with the
// values around the mean.
struct ImageSums {
  double* sum;
  double* product;
};

void turn_image(const GroupNormSize& size, const GroupFacts& facts, const float* weight,
                const float* gradient, const float* image, const ImageSums& sums, float* result) {
  gradient_sums_avx2({gradient, nullptr, image, facts.mean, nullptr, sums.sum, sums.product},
                     size.rows, size.channels);
  const auto channels = static_cast<size_t>(size.channels);
  std::vector<float> by_gradient(channels), by_value(channels), offset(channels);
  for (int64_t first = 0; first < size.channels; first += size.group()) {
    double sum = 0;
    double product = 0;
    for (int64_t c = first; c < first + size.group(); ++c) {
      sum += weight[c] * sums.sum[c];
      product += weight[c] * sums.product[c];
    }
    const double inverse = facts.inverse[first];
    for (int64_t c = first; c < first + size.group(); ++c) {
      const auto at = static_cast<size_t>(c);
      by_gradient[at] = weight[c] * facts.inverse[c];
      by_value[at] = static_cast<float>(-inverse * inverse * inverse * product / size.count());
      offset[at] = static_cast<float>(-inverse * sum / size.count());
    }
  }
  normalize_gradient_avx2({gradient, nullptr, image, facts.mean, result, by_gradient.data(),
                           by_value.data(), offset.data()},
                          size.rows, size.channels);
}

// Over all images, in their order.
void sum_images(const GroupNormSize& size, const std::vector<double>& sums, const at::Tensor& kept,
                const at::Tensor& by_weight, const at::Tensor& by_bias) {
  for (int64_t c = 0; c < size.channels; ++c) {
    double weight = 0;
    double bias = 0;
    for (int64_t image = 0; image < size.images; ++image) {
      const double* of_image = sums.data() + image * 2 * size.channels;
      bias += of_image[c];
      weight += of_image[size.channels + c] * GroupFacts(kept, image).inverse[c];
    }
    by_weight.data_ptr<float>()[c] = static_cast<float>(weight);
    by_bias.data_ptr<float>()[c] = static_cast<float>(bias);
  }
}

struct GroupNormFunction : torch::autograd::Function<GroupNormFunction> {
  static at::Tensor forward(torch::autograd::AutogradContext* context, const at::Tensor& input,
                            const at::Tensor& weight, const at::Tensor& bias,
                            const GroupNormSettings& settings) {
    const GroupNormSize size(input, settings.groups);
    const at::Tensor output = at::empty_like(input);
    const at::Tensor kept = at::empty({size.images, 2, size.channels}, input.options());
    at::parallel_for(0, size.images, 1, [&](int64_t from, int64_t to) {
      for (int64_t image = from; image < to; ++image) {
        const float* values = input.data_ptr<float>() + image * size.image_values();
        const GroupFacts facts(kept, image);
        find_group_facts(size, values, settings.eps, facts);
        normalize_image(size, facts, weight.data_ptr<float>(), bias.data_ptr<float>(), values,
                        output.data_ptr<float>() + image * size.image_values());
      }
    });
    context->save_for_backward({input, weight, kept});
    context->saved_data["groups"] = settings.groups;
    return output;
  }

  static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                 const torch::autograd::variable_list& gradients) {
    refuse_second_order();
    const auto saved = context->get_saved_variables();
    const GroupNormSize size(saved[0], context->saved_data["groups"].toInt());
    const at::Tensor gradient = gradients[0].contiguous(at::MemoryFormat::ChannelsLast);
    const at::Tensor result = at::empty_like(saved[0]);
    std::vector<double> sums(static_cast<size_t>(size.images * 2 * size.channels));
    at::parallel_for(0, size.images, 1, [&](int64_t from, int64_t to) {
      for (int64_t image = from; image < to; ++image) {
        const int64_t at = image * size.image_values();
        double* of_image = sums.data() + image * 2 * size.channels;
        turn_image(size, GroupFacts(saved[2], image), saved[1].data_ptr<float>(),
                   gradient.data_ptr<float>() + at, saved[0].data_ptr<float>() + at,
                   {of_image, of_image + size.channels}, result.data_ptr<float>() + at);
      }
    });
    const at::Tensor by_weight = at::empty_like(saved[1]);
    const at::Tensor by_bias = at::empty_like(saved[1]);
    sum_images(size, sums, saved[2], by_weight, by_bias);
    return {result, by_weight, by_bias, at::Tensor()};
  }
};

bool group_norm_goes_fast(Kernels kernels, const at::Tensor& input, const at::Tensor& weight,
                          const at::Tensor& bias, int64_t groups) {
  if (!goes_fast(kernels, input) || input.dim() != 4 || input.numel() == 0) return false;
  if (input.size(1) % groups != 0 || weight.defined() != bias.defined()) return false;
  return !weight.defined() || (goes_fast(kernels, weight) && goes_fast(kernels, bias) &&
                               weight.numel() == input.size(1) && bias.numel() == input.size(1));
}

}  // namespace

at::Tensor group_norm_images(Kernels kernels, const at::Tensor& input, const at::Tensor& weight,
                             const at::Tensor& bias, const GroupNormSettings& settings) {
  if (group_norm_goes_fast(kernels, input, weight, bias, settings.groups)) {
    const int64_t channels = input.size(1);
    return GroupNormFunction::apply(
        input.contiguous(at::MemoryFormat::ChannelsLast),
        weight.defined() ? weight.contiguous() : at::ones({channels}, input.options()),
        bias.defined() ? bias.contiguous() : at::zeros({channels}, input.options()), settings);
  }
  return at::group_norm(input, settings.groups, weight, bias, settings.eps);
}

}  // namespace hearth
