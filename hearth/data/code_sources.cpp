// Data that a program has in its memory or computes, as sources.
#include "hearth/data/code_sources.h"

#include <cstring>
#include <memory>

#include "hearth/base/digest.h"
#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/config/registry.h"

namespace hearth::sources {

namespace {

class GeneratorSource : public Source {
 public:
  GeneratorSource(std::string name, std::shared_ptr<const Generator> generator)
      : name_(std::move(name)), generator_(std::move(generator)) {}
  std::vector<KeySpec> keys() const override { return generator_->keys; }
  int64_t size() const override { return generator_->size; }
  void read(int64_t index, std::span<const Cell> cells) const override {
    generator_->sample(index, cells);
  }
  uint64_t resident_bytes() const override { return generator_->resident_bytes; }
  std::string fingerprint() const override { return name_ + ":" + generator_->fingerprint; }
  std::string describe(int64_t index) const override {
    return name_ + "[" + std::to_string(index) + "]";
  }

 private:
  std::string name_;
  std::shared_ptr<const Generator> generator_;
};

int64_t samples_in(const std::string& name, const CodeTensor& tensor) {
  const int64_t bytes = tensor.key.spec.bytes();
  const auto all = static_cast<int64_t>(tensor.bytes.size());
  if (bytes == 0 || all % bytes != 0)
    throw ConfigError("source " + quote(name) + ": the " + std::to_string(all) + " bytes of " +
                      quote(tensor.key.key) + " are no whole number of samples, " +
                      tensor.key.spec.text() + " each.");
  return all / bytes;
}

std::string digest_of_tensors(const std::vector<CodeTensor>& tensors) {
  Sha256 digest;
  for (const CodeTensor& tensor : tensors) {
    digest.add(tensor.key.key + ":" + tensor.key.spec.text() + "\n");
    digest.add(tensor.bytes);
  }
  return "sha256:" + digest.finish_hex();
}

}  // namespace

Choice<Source> generator(const std::string& name, Generator generator) {
  if (generator.size < 1 || generator.keys.empty() || !generator.sample)
    throw ConfigError("source " + quote(name) + " needs keys, a size and a way to make a sample.");
  const auto shared = std::make_shared<const Generator>(std::move(generator));
  registry<Source>().add(name, "Data that the program brings along.", [name, shared] {
    return std::make_unique<GeneratorSource>(name, shared);
  });
  return {name, Node::map()};
}

Choice<Source> tensors(const std::string& name, std::vector<CodeTensor> tensors) {
  if (tensors.empty()) throw ConfigError("source " + quote(name) + " needs a tensor.");
  Generator made;
  made.size = samples_in(name, tensors.front());
  for (const CodeTensor& tensor : tensors) made.resident_bytes += tensor.bytes.size();
  for (const CodeTensor& tensor : tensors) {
    if (samples_in(name, tensor) != made.size)
      throw ConfigError("source " + quote(name) + ": " + quote(tensor.key.key) + " has " +
                        std::to_string(samples_in(name, tensor)) + " samples, but " +
                        quote(tensors.front().key.key) + " has " + std::to_string(made.size) + ".");
    made.keys.push_back(tensor.key);
  }
  made.fingerprint = digest_of_tensors(tensors);
  const auto all = std::make_shared<const std::vector<CodeTensor>>(std::move(tensors));
  made.sample = [all](int64_t index, std::span<const Cell> cells) {
    for (size_t k = 0; k < cells.size(); ++k) {
      if (!cells[k].is_wanted()) continue;
      const auto bytes = static_cast<size_t>((*all)[k].key.spec.bytes());
      std::memcpy(cells[k].view().data, (*all)[k].bytes.data() + static_cast<size_t>(index) * bytes,
                  bytes);
    }
  };
  return generator(name, std::move(made));
}

}  // namespace hearth::sources
