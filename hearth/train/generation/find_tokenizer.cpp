// The tokenizer that made a key of an experiment's data.
#include "hearth/train/generation/find_tokenizer.h"

#include "hearth/data/ops/text/byte_tokens.h"
#include "hearth/data/ops/text/tokenize.h"
#include "hearth/data/sources/text.h"

namespace hearth {
namespace {

std::vector<std::string> class_names_of(const std::vector<KeySpec>& specs, const std::string& key) {
  for (const KeySpec& each : specs)
    if (each.key == key) return each.spec.class_names;
  return {};
}

// Of a source `text`, also of one inside other sources.
std::optional<Choice<Tokenizer>> tokens_of_text(const std::string& name, const Node& options) {
  if (name == "text" && options.is_map() && options.find("file") != nullptr)
    return sources::TextOptions::schema().read(options).tokens;
  for (const Node::Entry& entry : options.entries())
    if (const auto found = tokens_of_text(entry.key, entry.value)) return found;
  for (const Node& item : options.items())
    if (const auto found = tokens_of_text("", item)) return found;
  return std::nullopt;
}

}  // namespace

std::optional<RunTokenizer> find_tokenizer(const ExperimentOptions& options,
                                           const std::vector<KeySpec>& specs,
                                           const std::string& key) {
  for (const Choice<SampleOp>& op : options.data.ops) {
    if (op.name() == "tokenize") {
      const auto cut = sample_ops::TokenizeOptions::schema().read(op.options());
      if (cut.out == key)
        return RunTokenizer{open_tokenizer(cut.tokens, {.names = class_names_of(specs, cut.in)}),
                            cut.first, cut.begin, cut.end};
    }
    if (op.name() == "byte_tokens") {
      const auto cut = sample_ops::ByteTokensOptions::schema().read(op.options());
      if (cut.out == key) return RunTokenizer{open_tokenizer(tokenizers::bytes(), {}), cut.first};
    }
  }
  const std::vector<std::string> names = class_names_of(specs, key);
  if (names.empty()) return std::nullopt;
  for (const auto& [name, source] : options.data.train.all())
    if (const auto tokens = tokens_of_text(source.name(), source.options()))
      return RunTokenizer{open_tokenizer(*tokens, {.names = names}), 0};
  return std::nullopt;
}

}  // namespace hearth
