// What differs between oneDNN 2 and oneDNN 3: one shows its struct, the other answers questions.
#include "hearth/kernels/onednn_versions.h"

namespace hearth {

#if DNNL_VERSION_MAJOR >= 3

OnednnPlaces onednn_places(const dnnl::memory::desc& layout) {
  OnednnPlaces places;
  places.is_blocked = layout.get_format_kind() == dnnl::memory::format_kind::blocked;
  places.sizes = layout.get_dims();
  places.padded_sizes = layout.get_padded_dims();
  if (!places.is_blocked) return places;
  places.strides = layout.get_strides();
  places.block_axes = layout.get_inner_idxs();
  places.block_sizes = layout.get_inner_blks();
  return places;
}

#else

OnednnPlaces onednn_places(const dnnl::memory::desc& layout) {
  const dnnl_memory_desc_t& facts = layout.data;
  const dnnl_blocking_desc_t& blocks = facts.format_desc.blocking;
  OnednnPlaces places;
  places.is_blocked = facts.format_kind == dnnl_blocked;
  places.sizes.assign(facts.dims, facts.dims + facts.ndims);
  places.padded_sizes.assign(facts.padded_dims, facts.padded_dims + facts.ndims);
  if (!places.is_blocked) return places;
  places.strides.assign(blocks.strides, blocks.strides + facts.ndims);
  places.block_axes.assign(blocks.inner_idxs, blocks.inner_idxs + blocks.inner_nblks);
  places.block_sizes.assign(blocks.inner_blks, blocks.inner_blks + blocks.inner_nblks);
  return places;
}

#endif

}  // namespace hearth
