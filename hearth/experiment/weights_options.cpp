// First values of a model from a file of weights.
#include "hearth/experiment/weights_options.h"

namespace hearth {

const Schema<WeightsOptions>& WeightsOptions::schema() {
  using O = WeightsOptions;
  static const auto fields =
      Schema<O>()
          .field(&O::file, "file",
                 "A file of weights (safetensors, .pt or .pth of PyTorch, .npz; its content says "
                 "which), or the folder of a run or an exported model.",
                 is_path(), required(), not_empty())
          .field(&O::prefix, "prefix",
                 "Only tensors whose names begin with this are taken, without it: `module.` of "
                 "PyTorch's DataParallel, or `state_dict.` of a checkpoint that holds more.")
          .field(
              &O::rename, "rename",
              "Other names for those in the file, after `prefix`: `{'encoder.*': 'features.*'}`. "
              "What a * stands for on the left, it stands for on the right; of the patterns "
              "that fit a name, the longest counts. Older names of torchvision's own files, such "
              "as norm.1 of DenseNet, need no rule.")
          .field(&O::strict, "strict",
                 "Whether the names and shapes must all fit; false is `allow` of everything.")
          .field(&O::allow, "allow",
                 "What need not fit, and is only told: `missing`, tensors of the model that the "
                 "file lacks; `unexpected`, those that only the file has; `shapes`, those of "
                 "another shape, which are left as they are.",
                 one_of({"missing", "unexpected", "shapes"}))
          .field(&O::fresh, "fresh",
                 "Tensors of the model, by name or pattern such as head.*, that keep their own "
                 "first values, whatever the file has.")
          .field(&O::optional, "optional",
                 "Tensors of the model, by name or pattern, that keep their own first values where "
                 "the file lacks them: `lora` and `adapter` say so of what they add.")
          .field(&O::new_head, "new_head",
                 "The layers that give the model's outputs keep their own first values where the "
                 "file has them for another number of classes.")
          .field(&O::channels, "channels",
                 "When the file's first convolution is for another number of channels: `same` is "
                 "an error; `sum` gives every channel the sum of the file's, divided by how many "
                 "the model has; `repeat` takes the file's in turn, scaled alike. An input whose "
                 "channels are equal then gives what it gave.",
                 one_of({"same", "sum", "repeat"}))
          .field(&O::digest, "digest",
                 "SHA-256 of the file, found when training starts and kept in the run's config. "
                 "Given, another file is refused.",
                 digest_of("file"));
  return fields;
}

}  // namespace hearth
