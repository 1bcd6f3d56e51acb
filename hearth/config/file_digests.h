// Options that record what a file was, so that a run which goes on notices another one.
#pragma once

#include "hearth/config/catalog.h"
#include "hearth/config/node.h"

namespace hearth {

// A config with absolute paths and every default, whose empty `digest_of` options become the
// SHA-256 of the files they belong to. One whose file cannot be read stays empty: whoever needs the
// file will say so.
[[nodiscard]] Node with_digests(Node config, const SchemaInfo& schema, const Catalog& catalog);

}  // namespace hearth
