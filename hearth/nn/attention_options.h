// What the attention layers share: how heads look, as options.
#pragma once

#include <cstdint>

#include "hearth/config/schema.h"

namespace hearth {

// The fields of all of them, by these names in their options.
template <class O>
Schema<O> attention_fields() {
  return Schema<O>()
      .field(&O::heads, "heads", "Parts the width is split into, each attending alone.", required(),
             at_least(1))
      .field(&O::key_value_heads, "key_value_heads",
             "Heads of keys and values, shared by groups of heads; as many as heads when left out.",
             at_least(1))
      .field(&O::causal, "causal", "A place sees itself and what is before it, nothing after.")
      .field(&O::window, "window",
             "How far a place sees: itself and those fewer than so many places away. All when left "
             "out.",
             at_least(1))
      .field(&O::rotary, "rotary",
             "Turn queries and keys by the number of their place (RoPE), so that order counts.")
      .field(&O::rotary_base, "rotary_base",
             "How many times slower the slowest turn is than the fastest.", above(1))
      .field(&O::alibi, "alibi",
             "Lower scores with the distance, by a slope for each head (ALiBi), so that order "
             "counts.")
      .field(&O::dropout, "dropout", "Share of attention weights dropped while training.",
             at_least(0), below(1))
      .check("key_value_heads must divide heads.", [](const O& options) {
        return options.heads % options.key_value_heads.value_or(options.heads) == 0;
      });
}

}  // namespace hearth
