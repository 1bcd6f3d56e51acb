// Where in the config an error belongs. A border (a component is made, bound, opened) knows the
// place; what throws inside need not.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "hearth/base/error.h"
#include "hearth/config/node.h"

namespace hearth {

// The config with every mark naming its option: "train.traces[0].best_model.name".
[[nodiscard]] Node with_option_paths(Node config);

// The place of "data.drop_last"; of the nearest option around it when it is not there.
[[nodiscard]] Mark mark_at(const Node& config, std::string_view path);

// The place of the option whose value the message names, as 'value' or as a file; that of all
// options when it names none.
[[nodiscard]] Mark mark_named_in(const Node& options, std::string_view message);

// Throws the error that is being handled again, with this place before its message.
[[noreturn]] void rethrow_at(const Error& error, const Mark& mark);

// Runs `work`. An error that does not say its place yet gets this one: the innermost border wins.
template <class Work>
decltype(auto) at_place(const Mark& mark, Work&& work) {
  try {
    return std::forward<Work>(work)();
  } catch (const Error& error) {
    rethrow_at(error, mark);
  }
}

// The same for a component: the place is that of the option the message is about.
template <class Work>
decltype(auto) at_option_of(const Node& options, Work&& work) {
  try {
    return std::forward<Work>(work)();
  } catch (const Error& error) {
    rethrow_at(error, mark_named_in(options, error.what()));
  }
}

}  // namespace hearth
