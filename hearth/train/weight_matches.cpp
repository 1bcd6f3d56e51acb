// Which tensor of a file is which of a model.
#include "hearth/train/weight_matches.h"

#include <algorithm>
#include <set>

#include "hearth/base/error.h"
#include "hearth/base/pattern.h"
#include "hearth/base/text.h"
#include "hearth/format/array_names.h"
#include "hearth/format/weight_statistics.h"
#include "hearth/nn/init.h"
#include "hearth/tensor/convert.h"
#include "hearth/train/model_heads.h"

namespace hearth {
namespace {

constexpr size_t kMostFaults = 8;

// What torchvision's published files call some tensors that its models name otherwise by now: dense
// layers, the small networks of vision transformers, and feature pyramids.
const std::vector<std::pair<std::string, std::string>>& old_names() {
  static const std::vector<std::pair<std::string, std::string>> rules = {
      {"*.norm.1.*", "*.norm1.*"},
      {"*.norm.2.*", "*.norm2.*"},
      {"*.conv.1.*", "*.conv1.*"},
      {"*.conv.2.*", "*.conv2.*"},
      {"*.mlp.linear_1.*", "*.mlp.0.*"},
      {"*.mlp.linear_2.*", "*.mlp.3.*"},
      {"*.inner_blocks.*.weight", "*.inner_blocks.*.0.weight"},
      {"*.inner_blocks.*.bias", "*.inner_blocks.*.0.bias"},
      {"*.layer_blocks.*.weight", "*.layer_blocks.*.0.weight"},
      {"*.layer_blocks.*.bias", "*.layer_blocks.*.0.bias"}};
  return rules;
}

// PyTorch's batch norms count their batches; nothing depends on it.
bool is_counter(const std::string& name) { return name.ends_with("num_batches_tracked"); }

// What the stars of a pattern stand for in a text that fits it, the shortest that will do for each
// but the last; nothing when it does not fit.
bool star_texts(std::string_view pattern, std::string_view text, std::vector<std::string>& found) {
  const size_t star = pattern.find('*');
  if (star == pattern.npos) return matches(pattern, text);
  if (text.size() < star || !matches(pattern.substr(0, star), text.substr(0, star))) return false;
  const std::string_view rest = pattern.substr(star + 1);
  for (size_t length = 0; star + length <= text.size(); ++length) {
    found.emplace_back(text.substr(star, length));
    if (star_texts(rest, text.substr(star + length), found)) return true;
    found.pop_back();
  }
  return false;
}

std::string with_star_texts(const std::string& pattern, const std::vector<std::string>& texts) {
  std::string name;
  size_t star = 0;
  for (const char letter : pattern) {
    if (letter != '*')
      name += letter;
    else if (star < texts.size())
      name += texts[star++];
  }
  return name;
}

std::string nearest_text(const std::string& name, const std::vector<std::string>& known) {
  const auto found = nearest(name, known);
  return found ? " (nearest: " + *found + ")" : "";
}

void add_faults(std::string& message, const std::string& what,
                const std::vector<std::string>& lines) {
  if (lines.empty()) return;
  message += "\n  " + what + ":";
  for (size_t i = 0; i < std::min(lines.size(), kMostFaults); ++i) message += "\n    " + lines[i];
  if (lines.size() > kMostFaults)
    message += "\n    and " + std::to_string(lines.size() - kMostFaults) + " more";
}

// How many of the names the file has.
size_t known_names(const std::vector<NamedTensor>& tensors,
                   const std::map<std::string, const WeightEntry*>& names) {
  return static_cast<size_t>(std::ranges::count_if(
      tensors, [&](const NamedTensor& tensor) { return names.contains(tensor.first); }));
}

}  // namespace

std::string renamed(const std::string& name, const std::map<std::string, std::string>& rules) {
  const std::pair<const std::string, std::string>* best = nullptr;
  std::vector<std::string> texts;
  for (const auto& rule : rules) {
    std::vector<std::string> found;
    if (best != nullptr && rule.first.size() <= best->first.size()) continue;
    if (!star_texts(rule.first, name, found)) continue;
    best = &rule;
    texts = std::move(found);
  }
  return best == nullptr ? name : with_star_texts(best->second, texts);
}

WeightMatches::WeightMatches(const Layer& layer, const WeightFile& file,
                             const WeightsOptions& options)
    : options_(options) {
  report_.file = file.path().filename();
  for (const WeightEntry& entry : file.entries()) {
    if (!entry.name.starts_with(options.prefix)) continue;
    const std::string name = renamed(entry.name.substr(options.prefix.size()), options.rename);
    if (!names_.emplace(name, &entry).second)
      throw ConfigError("rename: two tensors of " + report_.file + " become " + quote(name) + ".");
  }
  if (names_.empty())
    throw ConfigError("prefix: no tensor of " + report_.file + " begins with " +
                      quote(options.prefix) + ". Its names are such as " +
                      (file.entries().empty() ? "none" : quote(file.entries().front().name)) + ".");
  const std::vector<NamedTensor> tensors = wanted(layer);
  bring_up_to_date(tensors);
  heads_ = model_heads(layer);
  std::set<std::string> used;
  for (const auto& [name, tensor] : tensors) {
    if (is_counter(name)) continue;
    ++report_.wanted;
    const auto found = names_.find(name);
    if (found != names_.end()) used.insert(name);
    if (is_fresh(name, found != names_.end()))
      report_.fresh.push_back(name);
    else if (found != names_.end())
      match(name, tensor, *found->second);
    else
      report_.missing.push_back(name);
  }
  for (const auto& [name, entry] : names_)
    if (!used.contains(name) && !is_counter(name)) report_.unexpected.push_back(name);
  check();
}

// By PyTorch's names where the file has more of those.
std::vector<NamedTensor> WeightMatches::wanted(const Layer& layer) const {
  std::vector<NamedTensor> own = layer.parameters();
  for (NamedTensor& buffer : layer.buffers()) own.push_back(std::move(buffer));
  std::vector<NamedTensor> torch = own;
  layer.rename_for_torch(torch);
  return known_names(torch, names_) > known_names(own, names_) ? torch : own;
}

bool WeightMatches::is_fresh(const std::string& name, bool is_found) const {
  const auto fits = [&](const std::string& pattern) { return matches(pattern, name); };
  return std::ranges::any_of(options_.fresh, fits) ||
         (!is_found && std::ranges::any_of(options_.optional, fits));
}

// An old name that means nothing to the model is taken for the new one, where the file lacks that.
void WeightMatches::bring_up_to_date(const std::vector<NamedTensor>& tensors) {
  std::set<std::string> own;
  for (const auto& [name, tensor] : tensors) own.insert(name);
  Names found;
  for (const auto& [name, entry] : names_) {
    std::string now = name;
    for (const auto& rule : old_names())
      if (const std::string other = renamed(name, {rule});
          !own.contains(name) && own.contains(other) && !names_.contains(other))
        now = other;
    found.emplace(now, entry);
  }
  names_ = std::move(found);
}

// By PyTorch's names there may be more in front of the layer's path.
bool WeightMatches::is_in_head(const std::string& name) const {
  const std::string layer = name.substr(0, name.rfind('.') + 1);
  return std::ranges::any_of(heads_, [&](const std::string& head) {
    return !head.empty() && (layer == head || layer.ends_with("." + head));
  });
}

void WeightMatches::match(const std::string& name, const at::Tensor& tensor,
                          const WeightEntry& entry) {
  if (tensor.sizes() != at::IntArrayRef(entry.shape)) {
    if (take_shape(name, tensor, entry)) return;
    report_.misshaped.push_back(name + ": " + shape_text(tensor.sizes()) + " in the model, " +
                                shape_text(entry.shape) + " in the file");
    return;
  }
  note_types(name, tensor, entry);
  matches_.push_back({tensor, &entry});
  ++report_.loaded;
}

// A first convolution for other channels, or a head for other classes, where that is wanted.
bool WeightMatches::take_shape(const std::string& name, const at::Tensor& tensor,
                               const WeightEntry& entry) {
  const auto rank = static_cast<size_t>(tensor.dim());
  bool differs_only_in_channels = rank >= 3 && entry.shape.size() == rank;
  for (size_t i = 0; differs_only_in_channels && i < rank; ++i)
    differs_only_in_channels = i == 1 || tensor.sizes()[i] == entry.shape[i];
  if (options_.channels != "same" && differs_only_in_channels && !has_adapted_) {
    has_adapted_ = true;
    report_.adapted.push_back(name + " from " + std::to_string(entry.shape[1]) + " channels to " +
                              std::to_string(tensor.size(1)) + " by " + options_.channels);
    matches_.push_back({tensor, &entry, tensor.size(1)});
    ++report_.loaded;
    return true;
  }
  if (!options_.new_head || !is_in_head(name)) return false;
  report_.fresh.push_back(name);
  return true;
}

void WeightMatches::note_types(const std::string& name, const at::Tensor& tensor,
                               const WeightEntry& entry) {
  const std::string own(hearth::name(dtype_of(tensor)));
  const std::string given = name_of(entry.type);
  if (given == own) return;
  if (is_real(entry.type) != tensor.is_floating_point())
    throw DataError("tensor " + quote(name) + " is " + given + " in " + report_.file + ", but " +
                    own + " in the model.");
  const std::string line = given + " to " + own;
  if (std::ranges::find(report_.converted, line) == report_.converted.end())
    report_.converted.push_back(line);
}

void WeightMatches::check() const {
  const auto is_allowed = [&](const std::string& what) {
    return !options_.strict || std::ranges::find(options_.allow, what) != options_.allow.end();
  };
  std::vector<std::string> unused;
  for (const std::string& name : report_.unexpected) unused.push_back(name);
  std::vector<std::string> missing;
  if (!is_allowed("missing"))
    for (const std::string& name : report_.missing)
      missing.push_back(name + nearest_text(name, unused));
  std::vector<std::string> unexpected;
  if (!is_allowed("unexpected"))
    for (const std::string& name : report_.unexpected)
      unexpected.push_back(name + nearest_text(name, report_.missing));
  std::string message;
  add_faults(message, "the file lacks", missing);
  add_faults(message, "only the file has", unexpected);
  if (!is_allowed("shapes")) add_faults(message, "of another shape", report_.misshaped);
  if (message.empty() && report_.loaded > 0) return;
  if (message.empty()) message = "\n  no tensor of the model is in it.";
  throw ConfigError(report_.file + " does not fit the model:" + message +
                    "\n  Say rename or prefix to bring names together, new_head or channels for "
                    "other classes or channels, fresh for what shall be new, or allow what need "
                    "not fit.");
}

}  // namespace hearth
