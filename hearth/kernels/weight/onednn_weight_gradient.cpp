// The gradient of oneDNN's convolutions by their weight, summed over parts of the batch.
#include "hearth/kernels/weight/onednn_weight_gradient.h"

#include <ATen/Parallel.h>
#include <ATen/ops/empty.h>

#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "hearth/kernels/parts.h"
#include "hearth/kernels/product/rows_avx2.h"
#include "hearth/kernels/threads/one_compute_thread.h"

namespace hearth {
namespace {

// A larger weight is not summed over parts: oneDNN then cuts the channels instead of the batch, and
// its threads do not meet.
constexpr int64_t kLargestSummedWeight = 1 << 17;
constexpr int64_t kSumGrain = 8192;  // values worth a thread

int64_t floats_of(const dnnl::memory::desc& layout) {
  return static_cast<int64_t>(layout.get_size() / sizeof(float));
}

}  // namespace

OnednnWeightGradient::OnednnWeightGradient(const ConvolutionGeometry& geometry,
                                           const Description& whole, const Describe& describe)
    : input_size_(geometry.in * geometry.height * geometry.width),
      output_size_(geometry.out * geometry.out_height() * geometry.out_width()),
      weight_size_(floats_of(whole.diff_weights_desc())),
      bias_size_(geometry.has_bias ? geometry.out : 0),
      parts_(cut(geometry, whole, describe)) {
  if (parts_.empty()) parts_.push_back({0, whole, whole});
}

// Empty when the whole is better.
std::vector<OnednnWeightGradient::Part> OnednnWeightGradient::cut(
    const ConvolutionGeometry& geometry, const Description& whole, const Describe& describe) const {
  const int64_t count = std::min<int64_t>(geometry.threads, geometry.batch);
  if (count < 2 || weight_size_ > kLargestSummedWeight) return {};
  const dnnl::primitive_attr attributes = with_given_scratch();
  const OneComputeThread one;
  std::vector<Part> parts;
  try {
    for (int64_t part = 0; part < count; ++part) {
      const int64_t first = geometry.batch * part / count;
      const int64_t pictures = geometry.batch * (part + 1) / count - first;
      const Description description = describe(pictures, attributes);
      if (std::string_view(description.impl_info_str()) != whole.impl_info_str()) return {};
      parts.push_back({first, description, description});
    }
  } catch (const dnnl::error&) {
    return {};  // not for this many pictures
  }
  return parts;
}

void OnednnWeightGradient::run_part(const Part& part, const float* gradient, const float* input,
                                    float* weight, float* bias) const {
  const Description& d = part.description;
  std::unordered_map<int, dnnl::memory> arguments = {
      {DNNL_ARG_SRC, onednn_memory(d.src_desc(), input + part.first * input_size_)},
      {DNNL_ARG_DIFF_DST, onednn_memory(d.diff_dst_desc(), gradient + part.first * output_size_)},
      {DNNL_ARG_DIFF_WEIGHTS, onednn_memory(d.diff_weights_desc(), weight)}};
  if (bias != nullptr)
    arguments.emplace(DNNL_ARG_DIFF_BIAS, onednn_memory(d.diff_bias_desc(), bias));
  const at::Tensor scratch = onednn_scratch(d.scratchpad_desc());
  arguments.emplace(DNNL_ARG_SCRATCHPAD,
                    onednn_memory(d.scratchpad_desc(), scratch.data_ptr<float>()));
  part.kernel.execute(onednn_stream(), arguments);
}

void OnednnWeightGradient::run(const float* gradient, const float* input, float* weight,
                               float* bias) const {
  if (parts_.size() == 1) return run_part(parts_[0], gradient, input, weight, bias);
  const auto count = static_cast<int64_t>(parts_.size());
  const int64_t stride = weight_size_ + bias_size_;
  const at::Tensor sums = at::empty({count, stride}, at::kFloat);
  auto* const first = sums.data_ptr<float>();
  for_parts(count, count, [&](int64_t part, int64_t, int64_t) {
    float* const own = first + part * stride;
    run_part(parts_[static_cast<size_t>(part)], gradient, input, own,
             bias == nullptr ? nullptr : own + weight_size_);
  });
  add_parts(first, weight, bias);
}

// In the order of the parts.
void OnednnWeightGradient::add_parts(const float* sums, float* weight, float* bias) const {
  const auto count = static_cast<int64_t>(parts_.size());
  const int64_t stride = weight_size_ + bias_size_;
  at::parallel_for(0, weight_size_, kSumGrain, [&](int64_t from, int64_t to) {
    sum_rows_avx2(sums + from, count, to - from, stride, weight + from);
  });
  if (bias != nullptr) sum_rows_avx2(sums + weight_size_, count, bias_size_, stride, bias);
}

}  // namespace hearth
