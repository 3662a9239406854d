# sxkey: what a user and a developer run. `make demo` and `make test` need nothing set up but Swift itself.

SWIFT   ?= swift
PREFIX  ?= /usr/local
DESTDIR ?=
SECONDS_PER_TARGET ?= 30

BINARY  := .build/release/sxkey
HELPER  := .build/release/sxkey-image
RELEASE := -c release --static-swift-stdlib --disable-local-rpath
BIN     := $(DESTDIR)$(PREFIX)/bin
LIBEXEC := $(DESTDIR)$(PREFIX)/libexec/sxkey
SHARE   := $(DESTDIR)$(PREFIX)/share
PAGES1  := $(wildcard man/*.1)
PAGES5  := $(wildcard man/*.5)

# SwiftPM leaves folders behind in TMPDIR, so every call of it gets one that is removed afterwards.
RUN     := .ci/with-tmpdir

.PHONY: build demo example test check check-long lint generate bench fuzz install uninstall clean
.DEFAULT_GOAL := build

build:
	@.ci/packages build
	$(RUN) $(SWIFT) build $(RELEASE) --product sxkey
	$(RUN) $(SWIFT) build $(RELEASE) --product sxkey-image

demo: build
	$(RUN) $(SWIFT) build $(RELEASE) --product sxkey-sample
	@$(RUN) .ci/demo .build/release

# Everything that fits in ten minutes, with the tests that run the built (debug) binary.
test:
	@.ci/packages build test
	$(RUN) $(SWIFT) build --build-tests
	$(RUN) $(SWIFT) test --skip-build --disable-xctest --quiet
	@if .build/debug/sxkey version --json | grep -q '"postQuantum":"sxkey"'; then \
	    echo "note: this libcrypto has no ML-KEM and ML-DSA, so the tests of sxkey's use of them did not run"; fi

# What must hold before a change lands: tests, style, generated files, and what the release binary is linked with.
check: test lint
	@.ci/packages check
	$(RUN) $(SWIFT) build $(RELEASE) --product sxkey
	.ci/check-binary $(BINARY)
	.ci/check-generated $(BINARY)

# A package that depends on the library product alone, as a daemon's does: builds it, and runs it.
example:
	@.ci/packages build
	@.ci/example

# The long campaigns: every bit flip and truncation of every kind, with nothing sampled; and, in valgrind (which is installed
# for this alone), that no branch and no address depends on a secret.
check-long: check
	@.ci/packages long
	SXKEY_LONG=1 $(RUN) $(SWIFT) test --skip-build --disable-xctest --quiet
	SWIFT="$(SWIFT)" $(RUN) Tests/constant-time

# Manual pages and completions, from the command specification.
generate:
	SXKEY_WRITE_GENERATED=1 $(RUN) $(SWIFT) test --disable-xctest --quiet --filter GeneratedFilesTests

lint:
	$(SWIFT) format lint --strict --recursive Package.swift Sources Tests Benchmarks Fuzz Examples

bench: build
	@.ci/packages bench
	$(RUN) Benchmarks/run
	$(RUN) Benchmarks/sealed
	$(RUN) Benchmarks/bundle
	$(RUN) Benchmarks/rekey
	$(RUN) Benchmarks/changes
	$(RUN) Benchmarks/archive
	$(RUN) Benchmarks/search
	$(RUN) Benchmarks/export
	$(RUN) Benchmarks/protocol
	$(RUN) Benchmarks/postquantum

fuzz:
	@.ci/packages build
	$(RUN) Fuzz/run $(SECONDS_PER_TARGET)

# Builds only when there is no binary yet, so that `make` as yourself and `sudo make install` need no Swift for root.
install:
	@test -x $(BINARY) -a -x $(HELPER) || $(MAKE) build
	install -d $(BIN) $(LIBEXEC) $(SHARE)/man/man1 $(SHARE)/man/man5
	install -d $(SHARE)/bash-completion/completions $(SHARE)/zsh/site-functions $(SHARE)/fish/vendor_completions.d
	install -s -m 755 $(BINARY) $(BIN)/sxkey
	install -s -m 755 $(HELPER) $(LIBEXEC)/sxkey-image
	install -m 644 $(PAGES1) $(SHARE)/man/man1
	install -m 644 $(PAGES5) $(SHARE)/man/man5
	install -m 644 completions/sxkey $(SHARE)/bash-completion/completions/sxkey
	install -m 644 completions/_sxkey $(SHARE)/zsh/site-functions/_sxkey
	install -m 644 completions/sxkey.fish $(SHARE)/fish/vendor_completions.d/sxkey.fish

uninstall:
	rm -f $(BIN)/sxkey $(LIBEXEC)/sxkey-image
	rmdir $(LIBEXEC) 2>/dev/null || true
	rm -f $(addprefix $(SHARE)/man/man1/,$(notdir $(PAGES1))) $(addprefix $(SHARE)/man/man5/,$(notdir $(PAGES5)))
	rm -f $(SHARE)/bash-completion/completions/sxkey $(SHARE)/zsh/site-functions/_sxkey
	rm -f $(SHARE)/fish/vendor_completions.d/sxkey.fish

clean:
	rm -rf .build Benchmarks/.build Fuzz/.build Examples/two-parties/.build
