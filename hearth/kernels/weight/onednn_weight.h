// Weights for oneDNN's kernels: the order in memory a kernel wants, and copies in it.
#pragma once

#include <optional>

#include "hearth/kernels/convolution/convolution_method.h"
#include "hearth/kernels/onednn.h"

namespace hearth {

// Of a weight [O, I, H, W] or, with groups, [G, O, I, H, W]; none when channels are filled up to
// whole blocks, or are blocked twice.
[[nodiscard]] std::optional<WeightOrder> order_of_layout(const dnnl::memory::desc& layout);
// Whether every value lies at the same place: descriptions may differ where a size is 1.
[[nodiscard]] bool are_same_places(const dnnl::memory::desc& a, const dnnl::memory::desc& b);

// From one layout to another; made when it is first needed.
class OnednnReorder {
 public:
  OnednnReorder(const dnnl::memory::desc& from, const dnnl::memory::desc& to)
      : from_(from), to_(to) {}
  void run(const float* from, float* to);

 private:
  dnnl::memory::desc from_;
  dnnl::memory::desc to_;
  dnnl::memory::desc scratch_;
  dnnl::reorder reorder_;
};

// A weight in the layout that one direction of a convolution wants.
class OnednnWeight {
 public:
  // The weight itself comes in `plain` or in `ordered`.
  OnednnWeight(const dnnl::memory::desc& plain, const dnnl::memory::desc& ordered,
               const dnnl::memory::desc& wanted);
  [[nodiscard]] dnnl::memory get(const at::Tensor& weight, bool is_ordered);

 private:
  struct Source {
    bool is_wanted;  // nothing to copy
    OnednnReorder reorder;
  };
  dnnl::memory::desc wanted_;
  Source plain_;
  Source ordered_;
  KeptWeight kept_;
};

}  // namespace hearth
