// Which names a pickle of PyTorch's may hold, and what is said about others.
#include <algorithm>
#include <array>

#include "hearth/format/array_names.h"
#include "hearth/format/pt_tree.h"

namespace hearth {

namespace {

constexpr std::array<std::string_view, 14> kPtNames = {"torch._utils._rebuild_tensor_v2",
                                                       "torch._utils._rebuild_tensor",
                                                       "torch._utils._rebuild_parameter",
                                                       "torch._utils._rebuild_parameter_with_state",
                                                       "torch._tensor._rebuild_from_type_v2",
                                                       "torch.Tensor",
                                                       "torch.nn.parameter.Parameter",
                                                       "torch.Size",
                                                       "torch.device",
                                                       "torch.serialization._get_layout",
                                                       "_codecs.encode",
                                                       "builtins.set",
                                                       "__builtin__.set",
                                                       "torch.storage.UntypedStorage"};

constexpr std::array<std::string_view, 14> kPtTypeNames = {
    "torch.float32", "torch.float64", "torch.float16", "torch.bfloat16", "torch.int8",
    "torch.int16",   "torch.int32",   "torch.int64",   "torch.uint8",    "torch.bool",
    "torch.float",   "torch.double",  "torch.half",    "torch.long"};

bool has_word(std::string_view name, std::string_view word) { return name.find(word) != name.npos; }

}  // namespace

std::optional<ArrayType> pt_storage_type(std::string_view name) {
  // Some files of old GPU programs name storages by their device's module.
  std::string plain(name);
  if (plain.starts_with("torch.cuda.")) plain.erase(6, 5);
  if (plain == "torch.storage.UntypedStorage") return ArrayType::kUint8;
  for (const ArrayTypeNames& known : all_array_types())
    if (!known.storage.empty() && plain == "torch." + std::string(known.storage)) return known.type;
  return std::nullopt;
}

PickleRules pt_pickle_rules() {
  PickleRules rules;
  rules.is_known = [](std::string_view name) {
    const auto is_in = [&](const auto& names) {
      return std::find(names.begin(), names.end(), name) != names.end();
    };
    return is_in(kPtNames) || is_in(kPtTypeNames) || pt_storage_type(name).has_value();
  };
  rules.advice = [](std::string_view name) -> std::string {
    if (has_word(name, "Complex"))
      return " Complex numbers are not read; save real and imaginary part.";
    if (has_word(name, "qtensor") || name.starts_with("torch.QInt") || has_word(name, "QUInt"))
      return " Quantized tensors are not read; save tensor.dequantize().";
    if (has_word(name, "sparse")) return " Sparse tensors are not read; save tensor.to_dense().";
    if (name.starts_with("__torch__"))
      return " It is a program of TorchScript; save model.state_dict() by torch.save.";
    if (name.starts_with("torch.nn.") || name.starts_with("__main__.") || has_word(name, "models."))
      return " It holds a whole model, not its tensors alone. In Python, save these: "
             "torch.save(model.state_dict(), 'weights.pt').";
    return " In Python, if you trust the file, load it and save what is needed of it as a "
           "dictionary of tensors.";
  };
  return rules;
}

}  // namespace hearth
