# SPDX-License-Identifier: Apache-2.0
# `make demo` does the main job, `make test` runs the tests; each makes its own .venv from PyPI.

VENV   ?= .venv
PYTHON ?= python3
JOBS   ?= 2
ROOM   ?= tests

.PHONY: demo test test-full docs dist clean

demo: $(VENV)/.demo
	$(VENV)/bin/nttforge demo

test: $(VENV)/.test
	$(VENV)/bin/pytest -n $(JOBS) --dist worksteal -m "not slow"

# Hours on a small machine, so it can be taken room by room (ROOM=tests/rtl/shell); the results go to
# docs/records, and from there to the page of verification.
test-full: $(VENV)/.test
	rm -f build/test-full.xml
	$(VENV)/bin/pytest $(ROOM) -n $(JOBS) --dist worksteal --junit-xml build/test-full.xml; \
	status=$$?; $(VENV)/bin/python -m tests.results build/test-full.xml; \
	$(VENV)/bin/python -m docs.tools.record --only tests.results docs/verification.md; \
	exit $$status

# The pages as a site, in build/site: no network once its tools are there.
docs: $(VENV)/.docs
	NO_MKDOCS_2_WARNING=1 $(VENV)/bin/mkdocs build

# A source archive, and the wheel that is made of it.
dist: $(VENV)/bin/pip
	$(VENV)/bin/pip install --quiet build
	$(VENV)/bin/python -m build --outdir build/dist

$(VENV)/bin/pip:
	$(PYTHON) -m venv $(VENV)
	$(VENV)/bin/pip install --quiet --upgrade pip

$(VENV)/.%: pyproject.toml | $(VENV)/bin/pip
	$(VENV)/bin/pip install --quiet --no-compile --editable '.[$*]'
	touch $@

clean:
	rm -rf $(VENV) build dist
