// The kinds of component. A new component edits nothing; CONTRIBUTING.md says what a new kind does.
#pragma once

namespace hearth {

template <class Base>
class Registry;

// How a kind's components are part of the graph: what they take besides their own options.
enum class KindForm {
  kPlain,    // nothing
  kLayer,    // a name, and in a graph of layers in and out
  kMeasure,  // when, from, until, every, offset
  kNode      // the same, and their numbers may be schedules
};

class Source;
class SampleOp;
class BatchOp;
class Order;
class Tokenizer;
class Layer;
class Initializer;
class Optimizer;
class Schedule;
class NetworkOp;
class Exchange;
class Metric;
class Trace;
class Technique;
class Tracker;

// Kinds in the order of reference pages and lists.
template <class... Bases>
struct KindList {};
using AllKinds =
    KindList<Source, SampleOp, BatchOp, Order, Tokenizer, Layer, Initializer, Optimizer, Schedule,
             NetworkOp, Exchange, Metric, Trace, Technique, Tracker>;

// What there is to know of a kind. Its components live in the namespace hearth::<name>s. The build
// fills its registry from its folders.
template <class Base>
struct KindOf;

template <>
struct KindOf<Source> {
  static constexpr const char* name = "source";
  static constexpr const char* help = "Where samples come from.";
  static constexpr const char* place = "data.train, data.eval, data.test";
  static constexpr KindForm form = KindForm::kPlain;
  static Registry<Source>& registry();
};
template <>
struct KindOf<SampleOp> {
  static constexpr const char* name = "sample_op";
  static constexpr const char* help = "Ops on one sample, run by worker threads.";
  static constexpr const char* place = "data.ops";
  static constexpr KindForm form = KindForm::kNode;
  static Registry<SampleOp>& registry();
};
template <>
struct KindOf<BatchOp> {
  static constexpr const char* name = "batch_op";
  static constexpr const char* help = "Ops on whole batches, run by worker threads.";
  static constexpr const char* place = "data.batch_ops";
  static constexpr KindForm form = KindForm::kNode;
  static Registry<BatchOp>& registry();
};
template <>
struct KindOf<Order> {
  static constexpr const char* name = "order";
  static constexpr const char* help = "In which order samples come.";
  static constexpr const char* place = "data.order";
  static constexpr KindForm form = KindForm::kPlain;
  static Registry<Order>& registry();
};
template <>
struct KindOf<Tokenizer> {
  static constexpr const char* name = "tokenizer";
  static constexpr const char* help = "How text becomes numbers.";
  static constexpr const char* place = "tokenize, and sources of text";
  static constexpr KindForm form = KindForm::kPlain;
  static Registry<Tokenizer>& registry();
};
template <>
struct KindOf<Layer> {
  static constexpr const char* name = "layer";
  static constexpr const char* help = "Layers and whole architectures.";
  static constexpr const char* place = "model, models.<name>.build";
  static constexpr KindForm form = KindForm::kLayer;
  static Registry<Layer>& registry();
};
template <>
struct KindOf<Initializer> {
  static constexpr const char* name = "initializer";
  static constexpr const char* help = "First values of parameters.";
  static constexpr const char* place = "init of a layer or model";
  static constexpr KindForm form = KindForm::kPlain;
  static Registry<Initializer>& registry();
};
template <>
struct KindOf<Optimizer> {
  static constexpr const char* name = "optimizer";
  static constexpr const char* help = "What updates a model's parameters.";
  static constexpr const char* place = "optimizer, models.<name>.optimizer";
  static constexpr KindForm form = KindForm::kPlain;
  static Registry<Optimizer>& registry();
};
template <>
struct KindOf<Schedule> {
  static constexpr const char* name = "schedule";
  static constexpr const char* help = "Numbers that change with time.";
  static constexpr const char* place = "any number of an op or optimizer";
  static constexpr KindForm form = KindForm::kPlain;
  static Registry<Schedule>& registry();
};
template <>
struct KindOf<NetworkOp> {
  static constexpr const char* name = "network_op";
  static constexpr const char* help = "Ops on one batch: model calls, losses, updates.";
  static constexpr const char* place = "network, loss";
  static constexpr KindForm form = KindForm::kNode;
  static Registry<NetworkOp>& registry();
};
template <>
struct KindOf<Exchange> {
  static constexpr const char* name = "exchange";
  static constexpr const char* help = "How gradients travel between the processes of a run.";
  static constexpr const char* place = "exchange";
  static constexpr KindForm form = KindForm::kPlain;
  static Registry<Exchange>& registry();
};
template <>
struct KindOf<Metric> {
  static constexpr const char* name = "metric";
  static constexpr const char* help = "What is measured over a whole epoch.";
  static constexpr const char* place = "metrics";
  static constexpr KindForm form = KindForm::kMeasure;
  static Registry<Metric>& registry();
};
template <>
struct KindOf<Trace> {
  static constexpr const char* name = "trace";
  static constexpr const char* help = "Observers of the training.";
  static constexpr const char* place = "train.traces";
  static constexpr KindForm form = KindForm::kMeasure;
  static Registry<Trace>& registry();
};
template <>
struct KindOf<Technique> {
  static constexpr const char* name = "technique";
  static constexpr const char* help = "Rewrites of the config: one line that stands for many.";
  static constexpr const char* place = "techniques";
  static constexpr KindForm form = KindForm::kPlain;
  static Registry<Technique>& registry();
};
template <>
struct KindOf<Tracker> {
  static constexpr const char* name = "tracker";
  static constexpr const char* help = "What brings the run log to other programs.";
  static constexpr const char* place = "train.trackers";
  static constexpr KindForm form = KindForm::kPlain;
  static Registry<Tracker>& registry();
};

// Calls visit.operator()<Base>() for every kind: for_each_kind([&]<class Base>() { ... }).
template <class Visit, class... Bases>
void for_each_of(const Visit& visit, KindList<Bases...>) {
  (visit.template operator()<Bases>(), ...);
}
template <class Visit>
void for_each_kind(const Visit& visit) {
  for_each_of(visit, AllKinds());
}

}  // namespace hearth
