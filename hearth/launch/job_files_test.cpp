// Files for schedulers.
#include "hearth/launch/job_files.h"

#include <gmock/gmock.h>

#include "hearth/config/yaml.h"

namespace hearth {
namespace {

using testing::HasSubstr;

const JobOptions kJob = {"digits", {"train", "digits.yaml", "name=two words"}, 2, 4, ""};

TEST(JobFiles, StartOneTaskForEachRankUnderSlurm) {
  const std::string file = slurm_file(kJob);
  EXPECT_THAT(file, HasSubstr("#SBATCH --nodes=2\n#SBATCH --ntasks-per-node=4\n"));
  EXPECT_THAT(file, HasSubstr("srun hearth train digits.yaml 'name=two words'\n"));
}

TEST(JobFiles, GoOnWithTheirOwnRunWhenRequeued) {
  JobOptions job = kJob;
  job.words.emplace_back("--json");
  EXPECT_THAT(slurm_file(job),
              HasSubstr("srun hearth train --resume \"$(cat \"$HEARTH_RUN_FILE\")\" --json\n"));
}

TEST(JobFiles, AreYamlForKubernetes) {
  const std::string file = kubernetes_file(kJob);
  const size_t second = file.find("---\n");
  ASSERT_NE(std::string::npos, second);
  EXPECT_EQ("Service", parse_yaml(file.substr(0, second), "a").find("kind")->text());
  const Node job = parse_yaml(file.substr(second + 4), "b");
  const Node& container =
      job.find("spec")->find("template")->find("spec")->find("containers")->items()[0];
  EXPECT_EQ("name=two words", container.find("command")->items().back().text());
  EXPECT_EQ("2", job.find("spec")->find("completions")->text());
}

}  // namespace
}  // namespace hearth
