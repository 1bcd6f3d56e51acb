# Everything from a clean clone: make demo, make test. The work is done by tools/ and CMake.
PREFIX ?= /usr/local
DESTDIR ?=

.PHONY: help demo test soak bench bench-steps install package format check clean

help:
	@echo "make demo         build the program and train a small network"
	@echo "make test         every check and test"
	@echo "make soak         long campaigns, for a release: every file call with every error, every model beside torchvision"
	@echo "make check        the checks that need no build: parts, names, size, text, claims, format"
	@echo "make format       format the C++ files"
	@echo "make bench        every benchmark, with its bars at the end"
	@echo "make bench-steps  only the time of a training step, beside PyTorch"
	@echo "make install      install into PREFIX=$(PREFIX) (DESTDIR for packagers)"
	@echo "make package      a Debian package of it in build/package"
	@echo "make clean        remove build/"

demo:
	@tools/setup build
	@tools/build release hearth_program
	@echo 'hearth is here: export PATH="$(CURDIR)/build/release/stage/bin:$$PATH"'
	@build/release/stage/bin/hearth train examples/digits.yaml

test:
	@tools/setup build test
	@tools/test

soak:
	@tools/setup build test soak
	@tools/soak

bench:
	@tools/setup build bench
	@tools/build release -DHEARTH_BENCH=ON
	@tools/bench

bench-steps:
	@tools/setup build bench
	@tools/build release -DHEARTH_BENCH=ON bench_step_of
	@tools/bench steps

install:
	@tools/setup build
	@tools/build release hearth_program
	@DESTDIR="$(DESTDIR)" cmake --install build/release --prefix "$(PREFIX)"

package:
	@tools/setup build package
	@tools/build release hearth_program
	@tools/package

format:
	@tools/check_format --fix

check:
	@tools/check

clean:
	rm -rf build
