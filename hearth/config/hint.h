// What to say about a name or a form that Hearth does not know.
#pragma once

#include <optional>
#include <string>

#include "hearth/config/catalog.h"
#include "hearth/config/node.h"

namespace hearth {

// Where the whole config has an option of this name, or one that other frameworks call so:
// "train.epochs" for epochs and for num_epochs.
[[nodiscard]] std::optional<std::string> option_path(const std::string& name,
                                                     const Catalog& catalog);

// " Did you mean 'x'?" for an option that these options do not have, also when it belongs elsewhere
// in the config.
[[nodiscard]] std::string option_hint(const std::string& name, const SchemaInfo& schema,
                                      const std::string& path, const Catalog& catalog);

// A component in another framework's form, {type: mlp, hidden: [16]}: what Hearth's form is.
[[nodiscard]] std::optional<std::string> foreign_form(const Node& node, const KindInfo& kind);

}  // namespace hearth
