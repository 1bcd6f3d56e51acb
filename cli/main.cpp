// The `hearth` program: a thin front that loads LibTorch only for commands that need tensors.
#include "cli/program.h"

int main(int argc, char** argv) { return hearth::cli::run_program({argv + 1, argv + argc}); }
