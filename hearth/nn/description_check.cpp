// What can be wrong with a description before any layer of it is built.
#include "hearth/nn/description_check.h"

#include <algorithm>
#include <map>
#include <set>

#include "hearth/base/error.h"
#include "hearth/base/text.h"

namespace hearth {
namespace {

class DescriptionCheck {
 public:
  DescriptionCheck(const Description& description, const std::string& path, const Mark& mark)
      : description_(description), path_(path), mark_(mark) {}

  void run() {
    for (size_t i = 0; i < description_.nodes.size(); ++i) {
      check_names(i);
      check_use(i);
    }
    if (faults_.empty() && !is_in_order())
      for (size_t i = 0; i < description_.nodes.size(); ++i) check_cycle(i);
    check_outputs();
    check_needed();
    if (!faults_.empty()) throw_faults(faults_);
  }

 private:
  void add(size_t node, const std::string& message) {
    const LayerNode& at = description_.nodes[node];
    faults_.push_back({at.layer.options().mark().prefix(), label(at) + " " + message, {}});
  }

  [[nodiscard]] std::string label(const LayerNode& node) const {
    return path_ + "." + node.name + " " + node.layer.name();
  }

  void check_names(size_t i) {
    const LayerNode& node = description_.nodes[i];
    if (node.name.empty() || node.name.find('.') != std::string::npos)
      add(i, "needs a name without dots, which part the names of a path.");
    for (size_t k = 0; k < i; ++k)
      if (description_.nodes[k].name == node.name)
        return add(i, "has the name of another layer. Give one of them another name.");
    for (const std::string& name : node.out) {
      if (std::count(description_.inputs.begin(), description_.inputs.end(), name) > 0)
        add(i, "writes " + quote(name) + ", which is an input. Give it another `out`.");
      for (size_t k = 0; k <= i; ++k) {
        const auto& others = description_.nodes[k].out;
        if (std::count(others.begin(), others.end(), name) <= (k == i ? 1 : 0)) continue;
        add(i, "writes " + quote(name) + ", and so does " + label(description_.nodes[k]) +
                   ". Give one of them another `out`.");
      }
    }
  }

  void check_use(size_t i) {
    const LayerNode& node = description_.nodes[i];
    if (node.layer.name() != "use") return;
    std::vector<std::string> before;
    for (size_t k = 0; k < i; ++k)
      if (description_.nodes[k].used().empty()) before.push_back(description_.nodes[k].name);
    if (std::count(before.begin(), before.end(), node.used()) > 0) return;
    const LayerNode* later = description_.find(node.used());
    if (later != nullptr && later->used().empty())
      return add(i, "uses " + quote(node.used()) + ", which comes later. Move that one up.");
    add(i, "uses " + quote(node.used()) + ", but no layer before it has this name." +
               did_you_mean(node.used(), before));
  }

  // Where everybody reads what was made before, as most do, there is no cycle to look for.
  [[nodiscard]] bool is_in_order() const {
    std::set<std::string> made(description_.inputs.begin(), description_.inputs.end());
    for (const LayerNode& node : description_.nodes) {
      for (const std::string& name : node.in)
        if (!made.contains(name)) return false;
      made.insert(node.out.begin(), node.out.end());
    }
    return true;
  }

  // Follows what the node needs; a chain that comes back to it has no beginning.
  void check_cycle(size_t i) {
    std::vector<std::string> chain;
    std::set<size_t> seen;
    if (leads_back(i, i, seen, chain))
      add(i, "needs its own result: " + join(chain, " <- ") +
                 ". A graph has no cycles: let one of them read an earlier value.");
  }

  bool leads_back(size_t from, size_t to, std::set<size_t>& seen, std::vector<std::string>& chain) {
    for (const std::string& name : description_.nodes[from].in)
      for (size_t k = 0; k < description_.nodes.size(); ++k) {
        const auto& out = description_.nodes[k].out;
        if (std::find(out.begin(), out.end(), name) == out.end()) continue;
        chain.push_back(quote(name));
        if (k == to || (seen.insert(k).second && leads_back(k, to, seen, chain))) return k >= to;
        chain.pop_back();
      }
    return false;
  }

  void check_outputs() {
    std::vector<std::string> made = description_.inputs;
    for (const LayerNode& node : description_.nodes)
      made.insert(made.end(), node.out.begin(), node.out.end());
    for (const std::string& name : description_.outputs) {
      if (std::count(made.begin(), made.end(), name) > 0) continue;
      faults_.push_back({mark_.prefix(),
                         path_ + ": gives " + quote(name) + ", which none of its layers makes." +
                             did_you_mean(name, made),
                         {}});
    }
  }

  void check_needed() {
    std::set<std::string> read(description_.outputs.begin(), description_.outputs.end());
    for (const LayerNode& node : description_.nodes) read.insert(node.in.begin(), node.in.end());
    for (size_t i = 0; i < description_.nodes.size(); ++i) {
      const auto& out = description_.nodes[i].out;
      if (std::any_of(out.begin(), out.end(),
                      [&](const std::string& name) { return read.contains(name); }))
        continue;
      add(i, "makes " + quote(out.front()) +
                 ", which nobody reads. Read it, name it among the outputs, or leave it out.");
    }
  }

  const Description& description_;
  const std::string& path_;
  const Mark& mark_;
  std::vector<PlanFault> faults_;
};

std::string counted(size_t count, const std::string& what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

}  // namespace

void throw_faults(const std::vector<PlanFault>& faults) {
  std::vector<std::string> lines = {faults.front().message};
  for (size_t i = 1; i < faults.size(); ++i) lines.push_back(faults[i].place + faults[i].message);
  if (faults.front().place.empty()) throw GraphError(join(lines, "\n"));
  throw GraphError(join(lines, "\n"), faults.front().place);
}

void check_description(const Description& description, const std::string& path, const Mark& mark) {
  DescriptionCheck(description, path, mark).run();
}

void check_input_count(const Description& description, std::span<const Spec> inputs,
                       const std::string& path) {
  if (inputs.size() == description.inputs.size()) return;
  std::vector<std::string> came;
  for (const Spec& spec : inputs) came.push_back(spec.text());
  throw GraphError(path + ": takes " + counted(description.inputs.size(), "input") + " (" +
                   join(description.inputs, ", ") + "), but got " + std::to_string(inputs.size()) +
                   " (" + join(came, "; ") + "). Name as many in `in`.");
}

void check_output_count(const LayerNode& node, const std::vector<Spec>& outputs,
                        const std::string& path) {
  if (outputs.size() == node.out.size()) return;
  throw GraphError(path + "." + node.name + " " + node.layer.name() + ": gives " +
                   counted(outputs.size(), "value") + ", but `out` names " +
                   std::to_string(node.out.size()) + " (" + join(node.out, ", ") + ").");
}

}  // namespace hearth
