// A user's program that needs no tensors: reads YAML with Hearth's own reader.
#include <hearth/base/text.h>
#include <hearth/config/yaml.h>

#include <iostream>

int main() {
  const hearth::Node node = hearth::parse_yaml("model: lenet", "inline.yaml");
  const hearth::Node* model = node.find("model");
  std::cout << model->mark().text() << ": " << hearth::quote(model->text()) << "\n";
  return model->text() == "lenet" ? 0 : 1;
}
