# SPDX-License-Identifier: Apache-2.0
# `make demo` does the main job, `make test` runs the tests; each makes its own .venv from PyPI.
#
#   make check      a minute: format, lint, types, links, tests without a tool
#   make quick      three: a design of each kind is generated, verified and measured
#   make affected   the tests that import what differs from main (BASE=COMMIT: from that)
#   make test       what continuous integration runs
#   make test-full  the slow tests too: hours
#
# ROOM=tests/rtl/shell limits each of them to a folder, a file or a test, MARKED=sim to the tests of
# a marker: sim, synth, formal, slow, long. ORDER=7 draws the order of the tests of each file.

VENV   ?= .venv
PYTHON ?= python3
JOBS   ?= 2
ROOM   ?= tests
MARKED ?=
BASE   ?=
ORDER  ?=

# Half of what it takes to collect the tests is to compile them, if nothing is kept of that.
unexport PYTHONDONTWRITEBYTECODE
export NTTFORGE_ORDER = $(ORDER)

and    := $(if $(MARKED), and ($(MARKED)))
PYTEST  = $(VENV)/bin/pytest -n $(JOBS) --dist worksteal

.PHONY: demo check check-format check-types check-tests quick affected test test-full docs dist clean

demo: $(VENV)/.demo
	$(VENV)/bin/nttforge demo

check: $(VENV)/.test
	$(MAKE) --no-print-directory -j 2 -k check-format check-types check-tests

check-format:
	$(VENV)/bin/ruff check
	$(VENV)/bin/ruff format --check

check-types:
	$(VENV)/bin/mypy

# A test that needs a compiler without having the marker, or that takes long, fails here.
check-tests:
	CXX=no-compiler-in-make-check NTTFORGE_CHECK_SECONDS=20 $(PYTEST) $(ROOM) -q \
	  --deselect tests/test_style.py::test_mypy --deselect tests/test_style.py::test_ruff \
	  -m "not (sim or synth or formal or slow or long)$(and)"

quick: $(VENV)/.test
	$(VENV)/bin/python -m tests.quick -j $(JOBS)

affected: $(VENV)/.test
	@files=$$($(VENV)/bin/python -m tests.imports $(BASE)) || exit 1; \
	if [ -z "$$files" ]; then echo "no test imports what has changed"; else \
	echo "$$files" | wc -l | xargs echo files of tests:; $(PYTEST) $$files -m "not slow$(and)"; fi

test: $(VENV)/.test
	$(PYTEST) $(ROOM) -m "not slow$(and)"

# Hours on a small machine, so it can be taken room by room (ROOM=tests/rtl/shell); the results go to
# docs/records, and from there to the page of verification.
test-full: $(VENV)/.test
	rm -f build/test-full.xml
	$(PYTEST) $(ROOM) $(if $(MARKED),-m "$(MARKED)") --junit-xml build/test-full.xml; \
	status=$$?; $(VENV)/bin/python -m tests.result_records build/test-full.xml; \
	$(VENV)/bin/python -m docs.tools.record --only tests.result_records docs/verification.md; \
	exit $$status

# The pages as a site, in build/site: no network once its tools are there.
docs: $(VENV)/.docs
	NO_MKDOCS_2_WARNING=1 $(VENV)/bin/mkdocs build

# A source archive, and the wheel that is made of it; installed outside of the checkout, and tried.
dist: $(VENV)/bin/pip
	$(VENV)/bin/pip install --quiet build
	$(VENV)/bin/python -m tests.dist

$(VENV)/bin/pip:
	$(PYTHON) -m venv $(VENV)
	$(VENV)/bin/pip install --quiet --upgrade pip

$(VENV)/.%: pyproject.toml | $(VENV)/bin/pip
	$(VENV)/bin/pip install --quiet --no-compile --editable '.[$*]'
	touch $@

clean:
	rm -rf $(VENV) build dist
