// How many values are added or cut at the two ends of dimensions.
#include "hearth/nn/edges.h"

#include "hearth/nn/requirements.h"

namespace hearth {

std::vector<int64_t> all_edges(const std::vector<int64_t>& numbers, size_t dimensions) {
  if (numbers.size() != 1) return numbers;
  return std::vector<int64_t>(dimensions == 3 ? 4 : 2, numbers.front());
}

std::vector<Edges> edges_of(const std::vector<int64_t>& numbers, size_t dimensions) {
  const std::vector<int64_t> all = all_edges(numbers, dimensions);
  std::vector<Edges> edges;
  for (size_t i = 0; i + 1 < all.size(); i += 2) edges.push_back({all[i], all[i + 1]});
  return edges;
}

std::vector<Edges> require_edges(const BuildContext& context, const std::string& layer,
                                 const Spec& input, const std::vector<int64_t>& numbers) {
  const size_t count = all_edges(numbers, input.shape.size()).size();
  if (count % 2 != 0 || count > 2 * input.shape.size())
    throw_input_error(
        context, layer,
        "two numbers for each dimension from the last on, not " + std::to_string(count), input,
        "Say [left, right, top, bottom] for images, or one number.");
  return edges_of(numbers, input.shape.size());
}

}  // namespace hearth
