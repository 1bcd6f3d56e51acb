// The kinds of component. A new component edits nothing; a new kind adds its line here
// and in registry.h.
#pragma once

namespace hearth {

class Source;
class SampleOp;
class NetworkOp;
class Layer;
class Optimizer;
class Schedule;
class Metric;
class Trace;

template <class Base>
struct KindOf;
template <>
struct KindOf<Source> {
  static constexpr const char* name = "source";
};
template <>
struct KindOf<SampleOp> {
  static constexpr const char* name = "sample_op";
};
template <>
struct KindOf<NetworkOp> {
  static constexpr const char* name = "network_op";
};
template <>
struct KindOf<Layer> {
  static constexpr const char* name = "layer";
};
template <>
struct KindOf<Optimizer> {
  static constexpr const char* name = "optimizer";
};
template <>
struct KindOf<Schedule> {
  static constexpr const char* name = "schedule";
};
template <>
struct KindOf<Metric> {
  static constexpr const char* name = "metric";
};
template <>
struct KindOf<Trace> {
  static constexpr const char* name = "trace";
};

}  // namespace hearth
