// Texts continued by a small model, or made of others by one with an encoder: the same with and
// without cache, alone and beside others.
#include "hearth/train/generation/generator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <thread>

#include "hearth/base/error.h"
#include "hearth/base/message_of_test.h"
#include "hearth/config/registry.h"
#include "hearth/data/batch_ops/pad_longest.h"
#include "hearth/data/ops/image/normalize.h"
#include "hearth/data/ops/text/shift.h"
#include "hearth/data/ops/text/tokenize.h"
#include "hearth/data/sources/digits.h"
#include "hearth/data/sources/json_lines.h"
#include "hearth/data/sources/text.h"
#include "hearth/data/tokenizers/characters.h"
#include "hearth/network/ops/call.h"
#include "hearth/network/ops/cross_entropy.h"
#include "hearth/network/ops/update.h"
#include "hearth/nn/architectures/gpt.h"
#include "hearth/nn/architectures/mlp.h"
#include "hearth/nn/architectures/transformer.h"
#include "hearth/nn/blocks/transformer_block.h"
#include "hearth/nn/layer.h"
#include "hearth/nn/layers/composition/sequential.h"
#include "hearth/nn/layers/embedding.h"
#include "hearth/nn/layers/linear.h"
#include "hearth/optim/optimizers/adamw.h"
#include "hearth/train/estimator.h"

namespace hearth {
namespace {

using testing::HasSubstr;

constexpr int64_t kLength = 24;

std::string text_file() {
  const auto file = std::filesystem::path(testing::TempDir()) / "generator_text.txt";
  std::string text;
  for (int i = 0; i < 60; ++i) text += "the cat sat on the mat, the dog on the log.\n";
  std::ofstream(file) << text;
  return file.string();
}

ExperimentOptions text_experiment(Choice<Layer> model) {
  ExperimentOptions options;
  options.data.train =
      sources::text({.file = text_file(), .length = kLength, .tokens = tokenizers::characters()});
  options.data.batch_size = 8;
  options.input = "tokens";
  options.target = "next";
  options.model = std::move(model);
  options.loss = network_ops::cross_entropy({.in = {"logits", "next"}});
  options.optimizer = optimizers::adamw({.lr = 0.01});
  return options;
}

Choice<Layer> small_gpt(double dropout = 0) {
  return layers::gpt({.layers = 2, .width = 32, .heads = 2, .dropout = dropout});
}

// One that has learned a little, for all tests.
Estimator& trained() {
  static Estimator estimator = [] {
    Estimator made(text_experiment(small_gpt(0.1)), {.keeps_run = false});
    (void)made.fit();
    return made;
  }();
  return estimator;
}

std::vector<std::string> texts_of(const std::vector<Continuation>& made) {
  std::vector<std::string> texts;
  for (const Continuation& each : made) texts.push_back(each.text);
  return texts;
}

const std::vector<Prompt> kPrompts = {{"the "}, {"a"}, {"the dog on the lo"}, {"cat sat"}};

TEST(Generator, SaysTheSameWithAndWithoutCache) {
  const Generator generator(trained());
  EXPECT_TRUE(generator.can_remember());
  EXPECT_EQ(generator.most_places(), kLength);
  // Longer than the model can look at, so that texts are cut on the way.
  for (const GenerateOptions& options :
       {GenerateOptions{.max_tokens = 70, .temperature = 0}, GenerateOptions{.max_tokens = 70},
        GenerateOptions{.max_tokens = 40, .beams = 3}}) {
    GenerateOptions plain = options;
    plain.cache = false;
    const auto with = generator(kPrompts, options);
    const auto without = generator(kPrompts, plain);
    EXPECT_EQ(texts_of(with), texts_of(without));
    for (size_t i = 0; i < with.size(); ++i) {
      EXPECT_NEAR(with[i].log_probability, without[i].log_probability, 1e-3);
      EXPECT_TRUE(with[i].is_cut);
    }
  }
}

TEST(Generator, SaysTheSameOfAPromptAloneAndBesideOthers) {
  const Generator generator(trained());
  const GenerateOptions options{.max_tokens = 60, .seed = 5};
  const std::vector<std::string> together = texts_of(generator(kPrompts, options));
  for (size_t i = 0; i < kPrompts.size(); ++i)
    EXPECT_EQ(generator(kPrompts[i].text, options).text, together[i]);
  std::vector<Prompt> many(70, kPrompts[0]);
  for (const std::string& text : texts_of(generator(many, options))) EXPECT_EQ(text, together[0]);
}

TEST(Generator, DrawsOtherTextsForOtherSeedsAndSamples) {
  const Generator generator(trained());
  const std::vector<Prompt> prompts = {{"the ", 0}, {"the ", 1}};
  const auto texts = texts_of(generator(prompts, {.max_tokens = 40, .temperature = 1.5}));
  EXPECT_NE(texts[0], texts[1]);
  EXPECT_NE(generator("the ", {.max_tokens = 40, .temperature = 1.5, .seed = 1}).text, texts[0]);
  EXPECT_EQ(generator("the ", {.max_tokens = 40, .temperature = 1.5}).text, texts[0]);
}

TEST(Generator, TakesTheMostLikelyTokenInEveryWayToSaySo) {
  const Generator generator(trained());
  const std::string greedy = generator("the ", {.max_tokens = 30, .temperature = 0}).text;
  EXPECT_EQ(generator("the ", {.max_tokens = 30, .top_k = 1, .seed = 9}).text, greedy);
  EXPECT_EQ(generator("the ", {.max_tokens = 30, .top_p = 1e-6}).text, greedy);
}

TEST(Generator, FindsATextWithBeamsThatIsNoLessLikely) {
  const Generator generator(trained());
  const Continuation greedy = generator("the ", {.max_tokens = 12, .temperature = 0});
  const Continuation beams = generator("the ", {.max_tokens = 12, .beams = 8});
  EXPECT_GE(beams.log_probability, greedy.log_probability - 1e-4);
  EXPECT_EQ(beams.tokens.size(), 12U);
}

TEST(Generator, EndsATextWhereItIsTold) {
  const Generator generator(trained());
  const GenerateOptions greedy{.max_tokens = 50, .temperature = 0};
  const std::string text = generator("the ", greedy).text;
  const std::string stop = text.substr(8, 3);
  for (const int64_t beams : {1, 2}) {
    GenerateOptions options = greedy;
    options.stop = {stop, "zzz"};
    options.beams = beams;
    if (beams > 1) options.temperature.reset();
    const Continuation ended = generator("the ", options);
    EXPECT_EQ(ended.text.find(stop), std::string::npos);
    if (beams > 1) continue;
    EXPECT_EQ(ended.text, text.substr(0, text.find(stop)));
    EXPECT_TRUE(ended.is_ended);
  }
}

TEST(Generator, TellsOfTheTextAsItComes) {
  const Generator generator(trained());
  std::vector<std::string> told(kPrompts.size());
  const auto texts =
      generator(kPrompts, {.max_tokens = 30, .stop = {"mat"}},
                [&](size_t prompt, std::string_view piece) { told[prompt] += piece; });
  EXPECT_EQ(texts_of(texts), told);
}

TEST(Generator, SaysTheSameFromManyThreads) {
  const Generator generator(trained());
  const GenerateOptions options{.max_tokens = 30, .seed = 2};
  std::vector<std::string> expected;
  for (const Prompt& prompt : kPrompts) expected.push_back(generator(prompt.text, options).text);
  std::vector<std::string> found(kPrompts.size());
  {
    std::vector<std::jthread> threads;
    for (size_t i = 0; i < kPrompts.size(); ++i)
      threads.emplace_back([&, i] { found[i] = generator(kPrompts[i].text, options).text; });
  }
  EXPECT_EQ(found, expected);
}

std::string fault_of(const std::string& prompt, const GenerateOptions& options = {}) {
  const Generator generator(trained());
  return message_of<Error>([&] { (void)generator(prompt, options); });
}

TEST(Generator, SaysWhatIsWrongWithAPrompt) {
  EXPECT_THAT(fault_of(""), HasSubstr("the text is empty"));
  EXPECT_THAT(fault_of("the über"), HasSubstr("'ü' is not in the vocabulary of the run"));
  EXPECT_THAT(fault_of(std::string(25, 'a')),
              HasSubstr("has 25 tokens, but the model looks at 24 at most."));
}

TEST(Generator, SaysWhichOptionIsWrong) {
  EXPECT_THAT(fault_of("the ", {.max_tokens = 0}), HasSubstr("max_tokens: must be at least 1"));
  EXPECT_THAT(fault_of("the ", {.temperature = -1}), HasSubstr("temperature: must be at least 0"));
  EXPECT_THAT(fault_of("the ", {.top_k = 0}), HasSubstr("top_k: must be at least 1"));
  EXPECT_THAT(fault_of("the ", {.top_p = 1.5}), HasSubstr("top_p: must be"));
  EXPECT_THAT(fault_of("the ", {.top_p = 0.5, .beams = 2}),
              HasSubstr("beams look for the most likely"));
  EXPECT_THAT(fault_of("the ", {.stop = {""}}), HasSubstr("stop must not hold an empty text"));
}

std::string refusal_of(const ExperimentOptions& options) {
  Estimator estimator(options, {.keeps_run = false});
  return message_of<ConfigError>([&] { Generator generator(estimator); });
}

TEST(Generator, RefusesModelsThatScoreNoNextToken) {
  ExperimentOptions digits = text_experiment(layers::mlp());
  digits.data.train = sources::digits();
  digits.data.ops = {sample_ops::normalize({.key = "image"})};
  digits.loss = network_ops::cross_entropy();
  digits.input = "image";
  digits.target = "label";
  EXPECT_THAT(refusal_of(digits), HasSubstr("its model scores no next token"));
}

// The classes before the places, as losses want them.
class ScoresFirst : public Layer {
 protected:
  Spec prepare(const Spec& input, const BuildContext&) override {
    Spec output = input;
    std::swap(output.shape[0], output.shape[1]);
    return output;
  }
  at::Tensor forward(const at::Tensor& input) override { return input.transpose(1, 2); }
};

// Looks back at all places, and knows of no memory.
class RunningSum : public Layer {
 protected:
  Spec prepare(const Spec& input, const BuildContext&) override { return input; }
  at::Tensor forward(const at::Tensor& input) override { return input.cumsum(1); }
};

// Places are mixed by `layer`, then scored.
Choice<Layer> mixing_model(const Choice<Layer>& layer) {
  registry<Layer>().add("test_scores_first", "Scores first.",
                        [] { return std::make_unique<ScoresFirst>(); });
  registry<Layer>().add("test_running_sum", "A sum.",
                        [] { return std::make_unique<RunningSum>(); });
  return layers::sequential({{layers::embedding({.size = 16}), layer, layers::linear(),
                              Choice<Layer>("test_scores_first", Node::map())}});
}

TEST(Generator, RefusesModelsThatLookAhead) {
  const auto both_sides = layers::transformer_block({.heads = 2, .causal = false});
  EXPECT_THAT(refusal_of(text_experiment(mixing_model(both_sides))),
              HasSubstr("change with tokens after it"));
}

// Whatever a model is made of: one that cannot compute new places alone computes all of them.
TEST(Generator, UsesTheCacheOfModelsThatCanRememberAlone) {
  const std::vector<std::pair<Choice<Layer>, bool>> cases = {
      {layers::transformer_block({.heads = 2}), true},
      {Choice<Layer>("test_running_sum", Node::map()), false}};
  for (const auto& [layer, can_remember] : cases) {
    Estimator estimator(text_experiment(mixing_model(layer)), {.keeps_run = false});
    const Generator generator(estimator);
    EXPECT_EQ(generator.can_remember(), can_remember) << layer.name();
    GenerateOptions options{.max_tokens = 12, .seed = 1};
    const std::string text = generator("the ", options).text;
    options.cache = false;
    EXPECT_EQ(generator("the ", options).text, text);
  }
}

TEST(Generator, OpensARunAndSaysTheSame) {
  ExperimentOptions options = text_experiment(small_gpt());
  options.name = "continued";
  options.folder = (std::filesystem::path(testing::TempDir()) / "generator_runs").string();
  Estimator estimator(options);
  const std::string run = estimator.fit().run_folder;
  const GenerateOptions how{.max_tokens = 40, .seed = 4};
  EXPECT_EQ(Generator(run, {.checkpoint = "last"})("the ", how).text,
            Generator(estimator)("the ", how).text);
}

// Numbers of up to three digits, written and said: {"said": "two five", "digits": "25"}.
std::string numbers_file() {
  const auto file = std::filesystem::path(testing::TempDir()) / "generator_numbers.jsonl";
  const std::vector<std::string> words = {"one", "two", "three", "four", "five"};
  std::ofstream lines(file);
  for (int number = 0; number < 216; ++number) {
    std::string said;
    std::string digits;
    for (int rest = number; rest > 0; rest /= 6) {
      if (rest % 6 == 0) continue;
      said += (said.empty() ? "" : " ") + words[static_cast<size_t>(rest % 6 - 1)];
      digits += std::to_string(rest % 6);
    }
    if (!said.empty()) lines << R"({"said": ")" << said << R"(", "digits": ")" << digits << "\"}\n";
  }
  return file.string();
}

ExperimentOptions translation(std::optional<int64_t> begin) {
  ExperimentOptions options;
  options.data.train = sources::json_lines({.file = numbers_file(), .text = {"said", "digits"}});
  options.data.batch_size = 16;
  options.data.ops = {
      sample_ops::tokenize({.in = "said", .out = "source", .first = 3, .end = 2}),
      sample_ops::tokenize({.in = "digits", .out = "target", .first = 3, .begin = begin, .end = 2}),
      sample_ops::shift({.key = "target"})};
  options.data.batch_ops = {batch_ops::pad_longest({.key = "source", .mask = "is_source"}),
                            batch_ops::pad_longest({.key = "target", .mask = "is_target"}),
                            batch_ops::pad_longest({.key = "next", .fill = -100})};
  options.models = {{"net",
                     {.build = layers::transformer({.width = 32,
                                                    .heads = 4,
                                                    .encoder_layers = 1,
                                                    .decoder_layers = 1,
                                                    .dim_feedforward = 64,
                                                    .dropout = 0}),
                      .optimizer = optimizers::adamw({.lr = 0.005})}}};
  options.network = {network_ops::call({.in = {"source", "target", "is_source", "is_target"}}),
                     network_ops::cross_entropy({.in = {"logits", "next"}}), network_ops::update()};
  options.predict.out = {"logits"};
  options.train.epochs = 25;
  return options;
}

Estimator& translator() {
  static Estimator estimator = [] {
    Estimator made(translation(1), {.keeps_run = false});
    (void)made.fit();
    return made;
  }();
  return estimator;
}

const std::vector<Prompt> kNumbers = {{"two five"}, {"one"}, {"three one four"}, {"five two two"}};

TEST(Translation, WritesWhatATransformerMakesOfAText) {
  const Generator generator(translator());
  EXPECT_TRUE(generator.reads_source());
  EXPECT_TRUE(generator.can_remember());
  const auto made = generator(kNumbers, {.max_tokens = 8, .temperature = 0});
  EXPECT_THAT(texts_of(made), testing::ElementsAre("25", "1", "314", "522"));
  for (const Continuation& each : made) EXPECT_TRUE(each.is_ended);
}

// Drawn so boldly that texts differ.
TEST(Translation, SaysTheSameWithAndWithoutCacheAloneAndBesideOthers) {
  const Generator generator(translator());
  for (const GenerateOptions& options :
       {GenerateOptions{.max_tokens = 12, .temperature = 3, .seed = 2},
        GenerateOptions{.max_tokens = 12, .beams = 4}}) {
    GenerateOptions plain = options;
    plain.cache = false;
    const auto with = generator(kNumbers, options);
    const auto without = generator(kNumbers, plain);
    EXPECT_EQ(texts_of(with), texts_of(without));
    for (size_t i = 0; i < with.size(); ++i) {
      EXPECT_NEAR(with[i].log_probability, without[i].log_probability, 1e-3);
      EXPECT_EQ(generator(kNumbers[i].text, options).text, with[i].text);
    }
  }
}

TEST(Translation, NeedsATokenToBeginWith) {
  EXPECT_THAT(refusal_of(translation({})),
              HasSubstr("Write `begin` in the op tokenize of 'target'"));
}

}  // namespace
}  // namespace hearth
