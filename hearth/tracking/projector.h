// The file by which TensorBoard's projector finds the vectors that a run wrote.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "hearth/core/event.h"

namespace hearth {

class ProjectorConfig {
 public:
  // Notes the newest vectors of each name, and the rows that say what they are: files of the run
  // that end in `.vectors.tsv` and `.metadata.tsv`.
  void take(const Event& event);
  [[nodiscard]] bool is_empty() const { return newest_.empty(); }
  // As text of protocol buffers; paths lead from `folder`, where it will lie, to the run's files.
  [[nodiscard]] std::string text(const std::filesystem::path& run,
                                 const std::filesystem::path& folder) const;

 private:
  struct Vectors {
    int64_t step = 0;
    std::string file = {};
    std::string metadata = {};
  };
  std::map<std::string, Vectors> newest_;  // by name
};

}  // namespace hearth
