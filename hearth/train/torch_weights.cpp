// Weights for other programs: plain safetensors, named as PyTorch names them.
#include "hearth/train/torch_weights.h"

#include "hearth/train/checkpoint.h"

namespace hearth {

std::vector<NamedTensor> torch_weights(Model& model) {
  std::vector<NamedTensor> tensors = model.weights().part("model").tensors;
  model.layer().rename_for_torch(tensors);
  return tensors;
}

std::vector<std::string> write_torch_weights(const std::filesystem::path& folder,
                                             const ModelSet& models) {
  std::vector<std::string> files;
  for (const auto& model : models.all()) {
    const std::string name = models.all().size() == 1 ? "model" : model->name();
    files.push_back(name + ".safetensors");
    // Programs that read such files look for this word.
    write_tensors(folder / files.back(), torch_weights(*model),
                  {.metadata = {{"format", "pt"}}, .has_digest = false});
  }
  return files;
}

}  // namespace hearth
