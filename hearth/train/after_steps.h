// What comes after the steps that a training was asked for.
#pragma once

namespace hearth {

enum class AfterSteps {
  kWait,  // the next call goes on; only a checkpoint that is due was saved
  kEnd,   // as after an interrupt: what is there is saved, and traces hear the end
};

}  // namespace hearth
