// Work on a trained model that the processes of `hearth launch` share.
#pragma once

#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <vector>

#include "hearth/cluster/group.h"
#include "hearth/train/prediction.h"

namespace hearth::cli {

// The ranks that `hearth launch` started with this one; a group of one for any other process, also
// for one that a rank's own command started.
[[nodiscard]] std::shared_ptr<Group> launched_group();

// Does the work, and lets the others end with the words of its error.
template <class Work>
[[nodiscard]] auto told_to_others(Group& group, const Work& work) {
  try {
    return work();
  } catch (const std::exception& error) {
    group.fail(error.what());
    throw;
  }
}

// Predictions of `count` samples in their order, on the first rank; nothing on the others. Each
// rank makes those of some whole batches, predict(first, count), so that they are one process's.
[[nodiscard]] std::vector<Prediction> predict_shared(
    Group& group, size_t count, size_t batch_size,
    const std::function<std::vector<Prediction>(size_t first, size_t count)>& predict);

}  // namespace hearth::cli
