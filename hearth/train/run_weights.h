// The weights of a run or an exported model, by the name of a checkpoint.
#pragma once

#include <string>

#include "hearth/network/network.h"
#include "hearth/train/checkpoint.h"
#include "hearth/train/run_folder.h"

namespace hearth {

// Hands over the state that holds the wanted weights: `best` or, without one, `last`, whose newest
// is passed over when it is damaged; or another name. DataError when there is none.
void use_weights(const RunFolder& folder, const std::string& checkpoint,
                 const CheckpointFolder::Use& use);

// Of the weights, or of all that an optimizer remembers too: the same text for the same bits.
[[nodiscard]] std::string digest_of(const Network& network, bool with_optimizer);

}  // namespace hearth
