// The sets of samples that an experiment has opened.
#include "hearth/train/opened_sources.h"

#include "hearth/train/experiment_graph.h"

namespace hearth {

std::map<std::string, std::shared_ptr<Source>> opened_sources(const ExperimentGraph& experiment) {
  std::map<std::string, std::shared_ptr<Source>> sources;
  for (Mode mode : kAllModes)
    for (const DataSet& set : experiment.sets(mode)) sources[set.text()] = experiment.source(set);
  return sources;
}

}  // namespace hearth
