// Weights for oneDNN's kernels: the order in memory a kernel wants, and copies in it.
#include "hearth/kernels/weight/onednn_weight.h"

#include <vector>

#include "hearth/kernels/onednn_versions.h"

namespace hearth {
namespace {

// A part of an axis: neighbours along it lie `stride` values apart.
struct AxisPart {
  int64_t size;
  int64_t stride;
};

// One axis of a layout as parts, outermost first: what lies between blocks, then the blocks.
std::vector<AxisPart> parts_of_axis(const OnednnPlaces& places, size_t axis) {
  std::vector<AxisPart> blocks;
  int64_t inside = 1;  // values of all blocks further in
  for (size_t i = places.block_sizes.size(); i-- > 0;) {
    if (places.block_axes[i] == static_cast<int64_t>(axis))
      blocks.insert(blocks.begin(), {places.block_sizes[i], inside});
    inside *= places.block_sizes[i];
  }
  int64_t blocked = 1;
  for (const AxisPart& block : blocks) blocked *= block.size;
  blocks.insert(blocks.begin(), {places.sizes[axis] / blocked, places.strides[axis]});
  return blocks;
}

// Without parts of size 1, and with parts joined that follow each other evenly.
std::vector<AxisPart> joined_parts(const std::vector<AxisPart>& parts) {
  std::vector<AxisPart> joined;
  for (const AxisPart& part : parts) {
    if (part.size == 1) continue;
    if (!joined.empty() && joined.back().stride == part.size * part.stride) {
      joined.back() = {joined.back().size * part.size, part.stride};
    } else {
      joined.push_back(part);
    }
  }
  return joined;
}

}  // namespace

std::optional<WeightOrder> order_of_layout(const dnnl::memory::desc& layout) {
  const OnednnPlaces places = onednn_places(layout);
  if (!places.is_blocked || places.sizes != places.padded_sizes) return std::nullopt;
  const size_t first = places.sizes.size() - 4;  // 1 with groups, which go with output channels
  std::vector<AxisPart> out = parts_of_axis(places, first);
  if (first == 1) {
    const std::vector<AxisPart> groups = parts_of_axis(places, 0);
    out.insert(out.begin(), groups.begin(), groups.end());
  }
  // Where each axis of the weight begins in the order, and how many parts it may have there.
  const std::vector<std::vector<AxisPart>> axes = {out, parts_of_axis(places, first + 1),
                                                   parts_of_axis(places, first + 2),
                                                   parts_of_axis(places, first + 3)};
  constexpr std::array<size_t, 5> kBegin = {0, 2, 4, 5, 6};
  WeightOrder order;
  for (size_t axis = 0; axis < axes.size(); ++axis) {
    const std::vector<AxisPart> parts = joined_parts(axes[axis]);
    if (parts.size() > kBegin[axis + 1] - kBegin[axis]) return std::nullopt;
    for (size_t i = 0; i < parts.size(); ++i) {
      order.sizes[kBegin[axis] + i] = parts[i].size;
      order.strides[kBegin[axis] + i] = parts[i].stride;
    }
  }
  return order;
}

bool are_same_places(const dnnl::memory::desc& a, const dnnl::memory::desc& b) {
  if (a == b) return true;
  const std::optional<WeightOrder> order = order_of_layout(a);
  return order && order == order_of_layout(b);
}

void OnednnReorder::run(const float* from, float* to) {
  dnnl::memory source = onednn_memory(from_, from);
  dnnl::memory target = onednn_memory(to_, to);
  if (!reorder_) {
    const dnnl::reorder::primitive_desc described(onednn_engine(), from_, onednn_engine(), to_,
                                                  with_given_scratch());
    scratch_ = described.scratchpad_desc();
    reorder_ = dnnl::reorder(described);
  }
  const at::Tensor scratch = onednn_scratch(scratch_);
  reorder_.execute(onednn_stream(),
                   {{DNNL_ARG_FROM, source},
                    {DNNL_ARG_TO, target},
                    {DNNL_ARG_SCRATCHPAD, onednn_memory(scratch_, scratch.data_ptr<float>())}});
}

OnednnWeight::OnednnWeight(const dnnl::memory::desc& plain, const dnnl::memory::desc& ordered,
                           const dnnl::memory::desc& wanted)
    : wanted_(wanted),
      plain_{are_same_places(plain, wanted), {plain, wanted}},
      ordered_{are_same_places(ordered, wanted), {ordered, wanted}} {}

dnnl::memory OnednnWeight::get(const at::Tensor& weight, bool is_ordered) {
  Source& source = is_ordered ? ordered_ : plain_;
  if (source.is_wanted) return onednn_memory(wanted_, weight.data_ptr<float>());
  const auto size = static_cast<int64_t>(wanted_.get_size() / sizeof(float));
  return onednn_memory(wanted_, kept_.get(weight, size, [&](const float* from, float* to) {
    source.reorder.run(from, to);
  }));
}

}  // namespace hearth
