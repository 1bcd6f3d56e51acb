// For tests: what every component is tried with. The cases of a component lie beside its source, in
// <component>.case.yaml: a map from the name of a case to its `options` and to what else the kind's
// tests need.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <ostream>
#include <string>
#include <vector>

#include "hearth/base/error.h"
#include "hearth/config/choice.h"
#include "hearth/config/registry.h"
#include "hearth/config/validate.h"
#include "hearth/core/spec.h"
#include "hearth/train/live_catalog.h"

namespace hearth {

constexpr int64_t kCaseBatch = 4;
constexpr int64_t kCaseClasses = 3;

// The file with the cases of a component, and where it would have to be written if there is none.
struct CaseFile {
  std::string path;
  bool exists = false;
};
[[nodiscard]] CaseFile case_file(const std::string& kind, const std::string& component);

// One case of a component. `Case` is a struct with a field list: what the kind's tests need besides
// the options.
template <class Base, class Case>
struct Tried {
  std::string component;
  std::string name;
  Choice<Base> choice;
  Case tried = {};
  std::string fault = {};  // why there is no case, for the test to fail with
  [[nodiscard]] std::string text() const { return component + "_" + name; }
};
template <class Base, class Case>
std::ostream& operator<<(std::ostream& out, const Tried<Base, Case>& tried) {
  return out << tried.text();
}

// A kind whose components are tried with their defaults where there is no case needs none.
template <class Case>
concept NeedsCase = requires {
  Case::kExample;
};

// `options` are the component's own; `build` is another component around it.
// Of all that is registered; made once, as there are thousands of cases.
[[nodiscard]] const Catalog& whole_catalog();

template <class Base, class Case>
Tried<Base, Case> read_case(const std::string& component, const std::string& name, Node node) {
  const auto field = [&](const char* key) {
    const Node* found = node.find(key);
    Node value = found == nullptr ? Node() : *found;
    node.erase(key);
    return value;
  };
  const Node options = field("options");
  const Node build = field("build");
  const Choice<Base> choice =
      build.is_null() ? Choice<Base>(component, options.is_null() ? Node::map() : options)
                      : TypeOf<Choice<Base>>::read(build);
  const Catalog& catalog = whole_catalog();
  std::vector<Fault> faults =
      validate_type(choice.node(), TypeOf<Choice<Base>>::type(), name, catalog);
  for (Fault& fault : validate(node.is_null() ? Node::map() : node, Case::schema().info(), catalog))
    faults.push_back(std::move(fault));
  throw_faults(faults);
  return {component, name, choice, Case::schema().read(node)};
}

[[nodiscard]] Node read_case_file(const std::string& path);

template <class Base, class Case>
void add_cases(const std::string& component, std::vector<Tried<Base, Case>>& cases) {
  const CaseFile file = case_file(KindOf<Base>::name, component);
  try {
    if (file.exists) {
      const Node written = read_case_file(file.path);
      for (const Node::Entry& entry : written.entries())
        cases.push_back(read_case<Base, Case>(component, entry.key, entry.value));
      return;
    }
    if constexpr (NeedsCase<Case>)
      throw ConfigError("There is no case for the " + std::string(KindOf<Base>::name) + " '" +
                        component + "'. Write " + file.path + ", such as\n" + Case::kExample);
    else
      cases.push_back({component, "defaults", {component, Node::map()}});
  } catch (const Error& error) {
    cases.push_back({component, "fault", {component, Node::map()}, {}, error.what()});
  }
}

// The cases of every component of the kind.
template <class Base, class Case>
std::vector<Tried<Base, Case>> all_cases() {
  std::vector<Tried<Base, Case>> cases;
  for (const std::string& component : registry<Base>().names())
    add_cases<Base, Case>(component, cases);
  return cases;
}

// A test over cases; one that cannot be read fails it.
template <class Base, class Case>
class CaseTest : public testing::TestWithParam<Tried<Base, Case>> {
 protected:
  void SetUp() override {
    if (!this->GetParam().fault.empty()) FAIL() << this->GetParam().fault;
  }
  [[nodiscard]] static const Choice<Base>& choice() {
    return testing::TestWithParam<Tried<Base, Case>>::GetParam().choice;
  }
  [[nodiscard]] static std::unique_ptr<Base> make() { return registry<Base>().make(choice()); }
};

// The name of a test over cases.
inline constexpr auto kCaseName = [](const auto& tested) { return tested.param.text(); };

// For kinds whose tests need nothing but options.
struct OptionsCase {
  static const Schema<OptionsCase>& schema();
};

// A key that is given to what is tried, by the spec of a sample.
struct CaseKey {
  std::vector<int64_t> shape = {};
  std::string dtype = "float32";
  int64_t classes = 0;
  bool per_batch = false;
  bool soft = false;
  bool not_finite = false;
  static const Schema<CaseKey>& schema();
  [[nodiscard]] Spec spec() const;
};

// For ops and metrics: the keys they read. Some are known, with kCaseClasses classes: `logits`,
// `probability`, `label` and `loss`; a case adds others.
struct KeysCase {
  std::map<std::string, CaseKey> keys = {};
  static const Schema<KeysCase>& schema();
  [[nodiscard]] Spec spec(const std::string& key) const;
};

}  // namespace hearth
