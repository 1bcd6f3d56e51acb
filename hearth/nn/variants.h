// The published sizes of an architecture, by name: rows of a struct that has a `name`.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "hearth/base/error.h"
#include "hearth/base/text.h"

namespace hearth {

// For the rule of an option: one_of(variant_names(forms)).
template <class Form>
[[nodiscard]] std::vector<std::string> variant_names(const std::vector<Form>& forms) {
  std::vector<std::string> names;
  for (const Form& form : forms) names.push_back(form.name);
  return names;
}

template <class Form>
[[nodiscard]] const Form& find_variant(const std::vector<Form>& forms, const std::string& name) {
  const auto found =
      std::find_if(forms.begin(), forms.end(), [&](const Form& form) { return form.name == name; });
  if (found == forms.end())
    throw ConfigError("There is no variant " + quote(name) + "." +
                      did_you_mean(name, variant_names(forms)));
  return *found;
}

}  // namespace hearth
