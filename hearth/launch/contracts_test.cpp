// Every launcher's variables, and what contradicts itself.
#include <gmock/gmock.h>

#include "hearth/base/error.h"
#include "hearth/launch/cluster_options.h"
#include "hearth/launch/find_place.h"

namespace hearth {
namespace {

using Variables = std::map<std::string, std::string>;

struct ContractCase {
  std::string name;
  Variables variables;
  RankPlace place;  // without `contract`
  std::string contract;
};

RankPlace place_of(int rank, int size, int local_rank, int local_size, const std::string& host,
                   int port, const std::string& attempt = "0", bool serves_store = true) {
  RankPlace place;
  place.rank = rank;
  place.size = size;
  place.local_rank = local_rank;
  place.local_size = local_size;
  place.host = host;
  place.port = static_cast<uint16_t>(port);
  place.attempt = attempt;
  place.serves_store = serves_store;
  return place;
}

const Variables kSlurmStep = {{"SLURM_PROCID", "3"},
                              {"SLURM_STEP_NUM_TASKS", "4"},
                              {"SLURM_STEP_ID", "0"},
                              {"SLURM_LOCALID", "1"},
                              {"SLURM_NODEID", "1"},
                              {"SLURM_STEP_NUM_NODES", "2"},
                              {"SLURM_STEP_TASKS_PER_NODE", "2(x2)"},
                              {"SLURM_JOB_ID", "123456"},
                              {"SLURM_STEP_NODELIST", "node[08-09]"}};

Variables with(Variables variables, const Variables& more) {
  for (const auto& [name, value] : more) variables[name] = value;
  return variables;
}

const Variables kTorchrun = {{"RANK", "5"},
                             {"WORLD_SIZE", "8"},
                             {"LOCAL_RANK", "1"},
                             {"LOCAL_WORLD_SIZE", "4"},
                             {"MASTER_ADDR", "a"},
                             {"MASTER_PORT", "1234"},
                             {"TORCHELASTIC_RUN_ID", "job"},
                             {"TORCHELASTIC_RESTART_COUNT", "2"}};
const char* const kTensorflow =
    R"({"cluster": {"chief": ["a:2222"], "worker": ["b:2222", "b:2223"]}, "task": {"type": "worker", "index": 1}})";

const std::vector<ContractCase> kContractCases = {
    {"own",
     {{"HEARTH_RANK", "1"},
      {"HEARTH_RANKS", "4"},
      {"HEARTH_LOCAL_RANK", "1"},
      {"HEARTH_LOCAL_RANKS", "2"},
      {"HEARTH_STORE", "[::1]:4000"},
      {"HEARTH_ATTEMPT", "7"}},
     place_of(1, 4, 1, 2, "::1", 4000, "7"),
     "hearth launch (HEARTH_RANK=1, HEARTH_RANKS=4)"},
    {"torchrun", kTorchrun, place_of(5, 8, 1, 4, "a", 1234, "job/2"),
     "torchrun (RANK=5, WORLD_SIZE=8)"},
    {"torchrun with the agent's store", with(kTorchrun, {{"TORCHELASTIC_USE_AGENT_STORE", "True"}}),
     place_of(5, 8, 1, 4, "a", 1234, "job/2", false), "torchrun (RANK=5, WORLD_SIZE=8)"},
    {"torchrun in a Slurm step, which speaks of agents", with(kSlurmStep, kTorchrun),
     place_of(5, 8, 1, 4, "a", 1234, "job/2"), "torchrun (RANK=5, WORLD_SIZE=8)"},
    {"variables",
     {{"RANK", "1"}, {"WORLD_SIZE", "2"}, {"MASTER_ADDR", "a"}},
     place_of(1, 2, 0, 1, "a", 29500),
     "variables (RANK=1, WORLD_SIZE=2)"},
    {"Open MPI on one host",
     {{"OMPI_COMM_WORLD_RANK", "1"},
      {"OMPI_COMM_WORLD_SIZE", "2"},
      {"OMPI_COMM_WORLD_LOCAL_RANK", "1"},
      {"OMPI_COMM_WORLD_LOCAL_SIZE", "2"},
      {"MASTER_PORT", "5000"}},
     place_of(1, 2, 1, 2, "127.0.0.1", 5000),
     "Open MPI (OMPI_COMM_WORLD_RANK=1, OMPI_COMM_WORLD_SIZE=2)"},
    {"MPICH on two hosts",
     {{"PMI_RANK", "1"}, {"PMI_SIZE", "2"}, {"MASTER_ADDR", "a"}, {"MASTER_PORT", "5000"}},
     place_of(1, 2, 0, 1, "a", 5000),
     "PMI (PMI_RANK=1, PMI_SIZE=2)"},
    {"Slurm", kSlurmStep, place_of(3, 4, 1, 2, "node08", 18456),
     "Slurm (SLURM_PROCID=3, SLURM_STEP_NUM_TASKS=4)"},
    {"Slurm requeued, on one node",
     with(kSlurmStep,
          {{"SLURM_STEP_NUM_NODES", "1"}, {"SLURM_LOCALID", "3"}, {"SLURM_RESTART_COUNT", "1"}}),
     place_of(3, 4, 3, 4, "127.0.0.1", 18456, "1"),
     "Slurm (SLURM_PROCID=3, SLURM_STEP_NUM_TASKS=4)"},
    {"Kubernetes, where RANK is the pod's too",
     {{"PET_NNODES", "2"},
      {"PET_NODE_RANK", "1"},
      {"PET_MASTER_ADDR", "job-master-0"},
      {"PET_MASTER_PORT", "23456"},
      {"RANK", "1"},
      {"WORLD_SIZE", "2"}},
     place_of(1, 2, 0, 1, "job-master-0", 23456),
     "Kubernetes (PET_NODE_RANK=1, PET_NNODES=2)"},
    {"TF_CONFIG", {{"TF_CONFIG", kTensorflow}}, place_of(2, 3, 1, 2, "a", 2222), "TF_CONFIG ("},
};

TEST(Contracts, GiveThePlaceThatTheirVariablesSay) {
  for (const ContractCase& one : kContractCases) {
    std::optional<RankPlace> place = find_place(Environment(one.variables));
    ASSERT_TRUE(place) << one.name;
    EXPECT_THAT(place->contract, testing::StartsWith(one.contract)) << one.name;
    place->contract.clear();
    EXPECT_TRUE(*place == one.place)
        << one.name << ": " << place_text(*place) << ", local " << place->local_rank << " of "
        << place->local_size << ", attempt " << place->attempt;
  }
}

TEST(Contracts, FindNothingWhereNobodyLaunched) {
  for (const Variables& variables :
       {Variables{}, Variables{{"RANK", "3"}},
        Variables{{"SLURM_PROCID", "0"}, {"SLURM_NTASKS", "4"}, {"SLURM_JOB_ID", "1"}},
        with(kSlurmStep, {{"SLURM_JOB_NAME", "interactive"}}), Variables{{"TF_CONFIG", "{}"}}})
    EXPECT_FALSE(find_place(Environment(variables)));
}

struct RefusedCase {
  Variables variables;
  std::vector<std::string> words;
};

const std::vector<RefusedCase> kRefusedCases = {
    {{{"RANK", "2"}, {"WORLD_SIZE", "2"}, {"MASTER_ADDR", "a"}}, {"RANK=2", "WORLD_SIZE=2"}},
    {{{"RANK", "0"}, {"MASTER_ADDR", "a"}}, {"WORLD_SIZE is missing", "RANK=0"}},
    {{{"RANK", "0"}, {"WORLD_SIZE", "2"}}, {"MASTER_ADDR is missing"}},
    {{{"RANK", "x"}, {"WORLD_SIZE", "2"}}, {"RANK=x", "whole number"}},
    {{{"RANK", "0"}, {"WORLD_SIZE", "2"}, {"MASTER_ADDR", "a"}, {"MASTER_PORT", "70000"}},
     {"MASTER_PORT=70000", "no port"}},
    {{{"RANK", "0"},
      {"WORLD_SIZE", "2"},
      {"MASTER_ADDR", "a"},
      {"OMPI_COMM_WORLD_RANK", "1"},
      {"OMPI_COMM_WORLD_SIZE", "4"},
      {"OMPI_COMM_WORLD_LOCAL_SIZE", "4"},
      {"OMPI_COMM_WORLD_LOCAL_RANK", "1"}},
     {"different things", "RANK=0, WORLD_SIZE=2", "OMPI_COMM_WORLD_RANK=1"}},
    {{{"OMPI_COMM_WORLD_RANK", "0"}, {"OMPI_COMM_WORLD_SIZE", "2"}}, {"mpirun", "MASTER_ADDR"}},
    {{{"PET_NNODES", "2"}, {"PET_NODE_RANK", "1"}, {"PET_NPROC_PER_NODE", "4"}},
     {"PET_NPROC_PER_NODE", "hearth launch"}},
    {{{"HEARTH_RANK", "0"}}, {"HEARTH_RANKS is missing"}},
    {{{"HEARTH_RANK", "0"},
      {"HEARTH_RANKS", "1"},
      {"HEARTH_LOCAL_RANK", "0"},
      {"HEARTH_LOCAL_RANKS", "1"},
      {"HEARTH_STORE", "nowhere"}},
     {"HEARTH_STORE", "HOST:PORT"}},
    {{{"TF_CONFIG", R"({"cluster": 3, "task": {}})"}}, {"TF_CONFIG must be"}},
    {{{"TF_CONFIG", R"({"cluster": {"worker": ["a:1"]}, "task": {"type": "worker", "index": 1}})"}},
     {"worker:1", "1 tasks"}},
    {{{"TF_CONFIG", R"({"cluster": {"ps": ["a:1"]}, "task": {"type": "ps", "index": 0}})"}},
     {"'ps'"}},
    {{{"TF_CONFIG",
       R"({"cluster": {"worker": ["a:1"], "evaluator": ["b:1"]}, "task": {"type": "evaluator", "index": 0}})"}},
     {"hearth evaluate RUN --follow"}},
    {{{"TF_CONFIG", R"({"cluster": {"werker": ["a:1"]}, "task": {"type": "worker", "index": 0}})"}},
     {"Did you mean 'worker'"}},
    {with(kSlurmStep, {{"SLURM_STEP_TASKS_PER_NODE", "2(x"}}), {"2(x"}},
};

TEST(Contracts, RefuseContradictionsByTheNamesOfVariables) {
  for (const RefusedCase& one : kRefusedCases) {
    try {
      (void)find_place(Environment(one.variables));
      ADD_FAILURE() << one.words.front() << " was taken";
    } catch (const Error& error) {
      for (const std::string& word : one.words) EXPECT_THAT(error.what(), testing::HasSubstr(word));
    }
  }
}

TEST(Contracts, TakeTheConfigsClusterWhereNoLauncherIs) {
  ClusterOptions cluster;
  cluster.jobs = {{"worker", {"a:2222", "b:2222"}}};
  EXPECT_THROW((void)find_place(Environment(Variables{}), &cluster), ConfigError);
  cluster.task = TaskOptions{"worker", 1};
  EXPECT_EQ(1, find_place(Environment(Variables{}), &cluster)->rank);
  const Environment other(Variables{{"HEARTH_TASK", "worker:0"}});
  EXPECT_EQ(0, find_place(other, &cluster)->rank);
  EXPECT_EQ(5, find_place(Environment(kTorchrun), &cluster)->rank);
  const Environment broken(Variables{{"HEARTH_TASK", "worker"}});
  EXPECT_THROW((void)find_place(broken, &cluster), ConfigError);
}

}  // namespace
}  // namespace hearth
