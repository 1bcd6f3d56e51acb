// Several copies of a network in one process: each takes a part of every training batch, with one
// compute thread, and one step is made of what all of them found.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include <ATen/core/Generator.h>

#include "hearth/base/crew.h"
#include "hearth/core/graph.h"
#include "hearth/network/bound_op.h"
#include "hearth/network/replica.h"

namespace hearth {

class Replicas {
 public:
  // `first` are the models of the network itself, which is one of the `count`. ConfigError when
  // they are not in this machine's memory.
  Replicas(const std::map<std::string, ModelOptions>& models,
           const std::vector<Choice<NetworkOp>>& ops, const ModelSet& first, int64_t count);

  // Lets the others find their counterparts in the network.
  void find_pairs();

  using Ops = std::vector<std::shared_ptr<NetworkOp>>;
  // The network's op number `index`, which is `op`, in the other replicas.
  [[nodiscard]] const Ops& twins(const NetworkOp& op, size_t index, const Moment& moment);
  // Completes the training plan's ops; ConfigError names an op that replicas cannot share.
  void complete(std::vector<BoundOp>& ops, const Plan& plan) const;

  // One training batch, with ops that `complete` has seen; `values` as in Network::run.
  void run(const std::vector<BoundOp>& ops, StepContext& context, std::vector<at::Tensor>& values,
           TimeProfile* profile);

 private:
  // What one replica has of the batch that runs.
  struct Part {
    StepContext context;
    std::vector<at::Tensor> values;
  };
  void check_hooks() const;
  [[nodiscard]] std::vector<Part> split(const StepContext& context,
                                        const std::vector<at::Tensor>& values) const;
  void seed_streams();
  void run_all(const std::vector<BoundOp>& ops, StepContext& context, std::vector<Part>& parts,
               std::vector<at::Tensor>& values, TimeProfile* profile);
  [[nodiscard]] size_t run_to_loss(std::span<const BoundOp> ops, const StepContext& context,
                                   std::vector<Part>& parts, std::vector<at::Tensor>& values,
                                   TimeProfile* profile);
  static void join(const BoundOp& bound, StepContext& context, std::vector<Part>& parts,
                   TimeProfile* profile);
  static void run_once(const BoundOp& bound, StepContext& context, std::vector<Part>& parts,
                       TimeProfile* profile);
  void run_stretch(std::span<const BoundOp> ops, std::vector<Part>& parts, TimeProfile* profile);
  void average_buffers(const std::vector<Part>& parts) const;

  const ModelSet& first_;
  std::vector<std::unique_ptr<Replica>> others_;
  std::map<const NetworkOp*, Ops> twins_;
  std::vector<at::Generator> streams_;
  std::unique_ptr<Crew> crew_;  // begins with the first batch
};

}  // namespace hearth
