// Checks of flags whose messages say what was expected and what came.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace hearth::cli {

[[nodiscard]] CLI::Validator one_of_words(std::vector<std::string> words);
[[nodiscard]] CLI::Validator whole_number_from(int64_t least);
[[nodiscard]] CLI::Validator number_between(double least, double most);
[[nodiscard]] CLI::Validator size_in_bytes();
[[nodiscard]] CLI::Validator link_rate();   // 25Gb
[[nodiscard]] CLI::Validator short_time();  // 50us

}  // namespace hearth::cli
