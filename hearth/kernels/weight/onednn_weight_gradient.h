// The gradient of oneDNN's convolutions by their weight, summed over parts of the batch.
#pragma once

#include <functional>
#include <vector>

#include "hearth/kernels/convolution/convolution_method.h"
#include "hearth/kernels/onednn.h"

namespace hearth {

// Where threads would share a sum, oneDNN lets them meet at a barrier that spins: on a busy machine
// a thread waits there for one that does not run, until its time is up. So each part of the batch
// is a computation of one thread, and the parts are added when all are done.
class OnednnWeightGradient {
 public:
  using Description = dnnl::convolution_backward_weights::primitive_desc;
  // Of as many pictures, with these attributes.
  using Describe = std::function<Description(int64_t pictures, const dnnl::primitive_attr&)>;

  OnednnWeightGradient(const ConvolutionGeometry& geometry, const Description& whole,
                       const Describe& describe);
  // `bias` is null when there is none.
  void run(const float* gradient, const float* input, float* weight, float* bias) const;

 private:
  struct Part {
    int64_t first;  // picture
    Description description;
    dnnl::convolution_backward_weights kernel;
  };
  [[nodiscard]] std::vector<Part> cut(const ConvolutionGeometry& geometry, const Description& whole,
                                      const Describe& describe) const;
  void run_part(const Part& part, const float* gradient, const float* input, float* weight,
                float* bias) const;
  void add_parts(const float* sums, float* weight, float* bias) const;

  int64_t input_size_;   // of a picture
  int64_t output_size_;  // of its gradient
  int64_t weight_size_;
  int64_t bias_size_;
  std::vector<Part> parts_;
};

}  // namespace hearth
