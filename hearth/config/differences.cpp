// What of a config is not as it was.
#include "hearth/config/differences.h"

#include <set>

#include "hearth/config/yaml.h"

namespace hearth {
namespace {

std::string value_text(const Node* node) {
  return node == nullptr ? "not given" : to_yaml_line(*node);
}

void compare_nodes(const std::string& path, const Node* before, const Node* now,
                   std::vector<std::string>& differences) {
  if (before != nullptr && now != nullptr && *before == *now) return;
  const bool are_maps = before != nullptr && now != nullptr && before->is_map() && now->is_map();
  const bool are_lists = before != nullptr && now != nullptr && before->is_list() &&
                         now->is_list() && before->items().size() == now->items().size();
  if (are_maps) {
    std::set<std::string> keys;
    for (const Node* node : {before, now})
      for (const std::string& key : node->keys()) keys.insert(key);
    for (const std::string& key : keys)
      compare_nodes(path.empty() ? key : path + "." + key, before->find(key), now->find(key),
                    differences);
  } else if (are_lists) {
    for (size_t i = 0; i < now->items().size(); ++i)
      compare_nodes(path + "[" + std::to_string(i) + "]", &before->items()[i], &now->items()[i],
                    differences);
  } else {
    differences.push_back(path + ": " + value_text(before) + " then, " + value_text(now) + " now");
  }
}

}  // namespace

std::vector<std::string> config_differences(const Node& before, const Node& now) {
  std::vector<std::string> differences;
  compare_nodes("", &before, &now, differences);
  return differences;
}

}  // namespace hearth
