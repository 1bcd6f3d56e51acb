// Functions of a program as traces.
#include "hearth/train/code_traces.h"

#include <memory>
#include <nlohmann/json.hpp>

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/config/registry.h"

namespace hearth::traces {
namespace {

class LambdaTrace : public Trace {
 public:
  explicit LambdaTrace(std::shared_ptr<const Lambda> lambda) : lambda_(std::move(lambda)) {}
  [[nodiscard]] std::vector<std::string> reads() const override { return lambda_->reads; }
  [[nodiscard]] std::vector<Interest> interests() const override { return lambda_->on; }
  void hear(const Happening& happening, RunControl& run) override { lambda_->call(happening, run); }
  [[nodiscard]] Json state() const override {
    return lambda_->state ? lambda_->state() : Json::object();
  }
  void restore(const Json& state) override {
    if (lambda_->restore) lambda_->restore(state);
  }

 private:
  std::shared_ptr<const Lambda> lambda_;
};

}  // namespace

Choice<Trace> lambda(const std::string& name, Lambda lambda) {
  if (!lambda.call || lambda.on.empty())
    throw ConfigError("trace " + quote(name) + " needs a function to call and an occasion for it.");
  const auto shared = std::make_shared<const Lambda>(std::move(lambda));
  registry<Trace>().add(name, "A function of the program.",
                        [shared] { return std::make_unique<LambdaTrace>(shared); });
  return {name, Node::map()};
}

}  // namespace hearth::traces
