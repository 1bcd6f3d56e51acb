// Words of other frameworks for what Hearth calls otherwise: learning_rate is lr, val is eval.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace hearth {

// Hearth's words for it, likeliest first; nothing for a word that is in no other framework's list.
[[nodiscard]] std::vector<std::string> hearth_words_for(std::string_view word);

}  // namespace hearth
