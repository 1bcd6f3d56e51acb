"""Where the programs are that the benchmarks time."""
import os
import pathlib

BUILD = pathlib.Path(os.environ.get("HEARTH_BUILD", "build/release")).resolve()
HEARTH = str(BUILD / "stage/bin/hearth")
STEP_OF = str(BUILD / "bench/steps/step_of")
GENERATE_OF = str(BUILD / "bench/generation/generate_of")
INFERENCE_OF = str(BUILD / "bench/steps/inference_of")
