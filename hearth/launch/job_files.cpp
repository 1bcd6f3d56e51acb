// Files that start a run on a cluster.
#include "hearth/launch/job_files.h"

#include "hearth/base/text.h"
#include "hearth/launch/launcher.h"

namespace hearth {
namespace {

std::string shell_line(const std::vector<std::string>& words) {
  std::vector<std::string> safe;
  for (const std::string& word : words) safe.push_back(shell_word(word));
  return join(safe, " ");
}

std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char letter : text) {
    if (letter == '"' || letter == '\\') result += '\\';
    result += letter;
  }
  return result + "\"";
}

// What the shell puts in the place of the folder must not be quoted as a word.
std::string resuming_line(const std::vector<std::string>& words) {
  std::vector<std::string> all = {"hearth"};
  all.insert(all.end(), words.begin(), words.end());
  std::vector<std::string> resuming = resuming_words(all, "RUN");
  std::string line;
  for (size_t i = 1; i < resuming.size(); ++i)
    line += (i == 1 ? "" : " ") + (i > 1 && resuming[i - 1] == "--resume" && resuming[i] == "RUN"
                                       ? std::string("\"$(cat \"$HEARTH_RUN_FILE\")\"")
                                       : shell_word(resuming[i]));
  return line;
}

}  // namespace

std::string slurm_file(const JobOptions& options) {
  const std::string hosts = std::to_string(options.hosts);
  const std::string ranks = std::to_string(options.ranks);
  std::string secret =
      options.secret_file.empty()
          ? std::string(
                "# Ranks on several hosts need a secret that all can read.\n"
                "umask 077; export HEARTH_SECRET_FILE=$HOME/.hearth-secret-$SLURM_JOB_ID\n"
                "[ -s \"$HEARTH_SECRET_FILE\" ] || head -c 32 /dev/urandom | od -An -tx1 | tr -d ' "
                "\\n' "
                "> \"$HEARTH_SECRET_FILE\"\n")
          : "export HEARTH_SECRET_FILE=" + shell_word(options.secret_file) + "\n";
  return "#!/bin/sh\n"
         "#SBATCH --job-name=" +
         options.name +
         "\n"
         "#SBATCH --nodes=" +
         hosts +
         "\n"
         "#SBATCH --ntasks-per-node=" +
         ranks +
         "\n"
         "#SBATCH --requeue\n"
         "# Slurm asks the ranks to save and end two minutes before the time is up.\n"
         "#SBATCH --signal=TERM@120\n" +
         secret +
         "# Where the run notes its folder: a job that was requeued goes on with it.\n"
         "export HEARTH_RUN_FILE=$PWD/hearth-$SLURM_JOB_ID.run\n"
         "if [ -s \"$HEARTH_RUN_FILE\" ]; then\n"
         "  srun hearth " +
         resuming_line(options.words) +
         "\n"
         "else\n"
         "  srun hearth " +
         shell_line(options.words) +
         "\n"
         "fi\n"
         "code=$?\n"
         "# 75: the run was saved and can go on.\n"
         "if [ $code -eq 75 ]; then scontrol requeue \"$SLURM_JOB_ID\"; fi\n"
         "if [ $code -eq 0 ]; then rm -f \"$HEARTH_RUN_FILE\"; fi\n"
         "exit $code\n";
}

std::string kubernetes_file(const JobOptions& options) {
  const std::string hosts = std::to_string(options.hosts);
  const std::string& name = options.name;
  std::string words;
  for (const std::string& word : options.words) words += ", " + quoted(word);
  return "apiVersion: v1\n"
         "kind: Service\n"
         "metadata: {name: " +
         name +
         "}\n"
         "spec:\n"
         "  clusterIP: None\n"
         "  selector: {job-name: " +
         name +
         "}\n"
         "---\n"
         "apiVersion: batch/v1\n"
         "kind: Job\n"
         "metadata: {name: " +
         name +
         "}\n"
         "spec:\n"
         "  completionMode: Indexed\n"
         "  completions: " +
         hosts +
         "\n"
         "  parallelism: " +
         hosts +
         "\n"
         "  backoffLimit: 10\n"
         "  template:\n"
         "    spec:\n"
         "      subdomain: " +
         name +
         "\n"
         "      restartPolicy: Never\n"
         "      containers:\n"
         "      - name: hearth\n"
         "        image: hearth  # yours\n"
         "        command: [hearth, launch, -n, \"" +
         std::to_string(options.ranks) + "\"" + words +
         "]\n"
         "        env:\n"
         "        - {name: PET_NNODES, value: \"" +
         hosts +
         "\"}\n"
         "        - name: PET_NODE_RANK\n"
         "          valueFrom: {fieldRef: {fieldPath: "
         "\"metadata.annotations['batch.kubernetes.io/job-completion-index']\"}}\n"
         "        - {name: PET_MASTER_ADDR, value: " +
         name + "-0." + name +
         "}\n"
         "        - {name: PET_MASTER_PORT, value: \"29500\"}\n"
         "        # kubectl create secret generic " +
         name +
         " --from-literal=secret=$(openssl rand -hex 32)\n"
         "        - name: HEARTH_SECRET\n"
         "          valueFrom: {secretKeyRef: {name: " +
         name + ", key: secret}}\n";
}

}  // namespace hearth
