// The tokenizers there are.
#include "hearth/config/registry.h"
#include "hearth/data/tokenizer.h"
#include "hearth/data/tokenizers/bpe.h"
#include "hearth/data/tokenizers/bytes.h"
#include "hearth/data/tokenizers/characters.h"
#include "hearth/data/tokenizers/words.h"

namespace hearth {

Registry<Tokenizer>& KindOf<Tokenizer>::registry() {
  static Registry<Tokenizer> registry = [] {
    Registry<Tokenizer> filled;
    tokenizers::register_bpe(filled);
    tokenizers::register_bytes(filled);
    tokenizers::register_characters(filled);
    tokenizers::register_words(filled);
    return filled;
  }();
  return registry;
}

}  // namespace hearth
