// The ops of a plan on one batch, one after the other; and parts of the step again for ops that ask
// for it.
#pragma once

#include <vector>

#include "hearth/network/bound_op.h"
#include "hearth/network/model.h"

namespace hearth {

// Which earlier ops an op that reruns would run again; nothing happens for other plans.
void find_sources(std::vector<BoundOp>& ops);

class StepRun : public Rerun {
 public:
  StepRun(const std::vector<BoundOp>& ops, StepContext& context, std::vector<at::Tensor>& values,
          const ModelSet& models, TimeProfile* profile)
      : ops_(ops), context_(context), values_(values), models_(models), profile_(profile) {}
  void run();
  // For the op that runs.
  [[nodiscard]] std::vector<at::Tensor> operator()() override;

 private:
  [[nodiscard]] std::vector<NamedTensor> buffers(const BoundOp& op) const;

  const std::vector<BoundOp>& ops_;
  StepContext& context_;
  std::vector<at::Tensor>& values_;
  const ModelSet& models_;
  TimeProfile* profile_;
  size_t at_ = 0;                   // the op that runs
  std::vector<at::Tensor> random_;  // the generator's state before each op that may run again
};

}  // namespace hearth
