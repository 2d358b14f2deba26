# Two commands matter: `make chat` and `make test`. Both set up what is missing and reuse the rest.

PYTHON ?= python3
HOST   ?= 127.0.0.1
PORT   ?= 7860

VENV_PYTHON := .venv/bin/python

# Reference data that is no part of the project; tests that need it skip where it is not there.
BENCH_DATA := $(shell test -f ../shared/corpus/seed19.json && cd ../shared && pwd)
ifneq ($(BENCH_DATA),)
export RAG_BENCH_DATA ?= $(BENCH_DATA)
endif

.DEFAULT_GOAL := help
.PHONY: help chat test stress lint lock readme screenshots clean setup setup-dev browser

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-12s %s\n", $$1, $$2 }' Makefile

chat: setup ## open the chat page on http://HOST:PORT (http://127.0.0.1:7860)
	@$(VENV_PYTHON) -m ui --host $(HOST) --port $(PORT)

test: lint browser ## lint, check types and run the test suite
	@$(VENV_PYTHON) -m pytest -m "not stress"

stress: setup-dev browser ## run the long tests
	@$(VENV_PYTHON) -m pytest -m stress

lint: setup-dev ## lint and check types only
	@$(VENV_PYTHON) -m ruff check --quiet .
	@$(VENV_PYTHON) -m ruff format --quiet --check .
	@$(VENV_PYTHON) -m mypy

lock: setup-dev ## refresh requirements.lock to the newest versions that pyproject.toml allows
	@$(VENV_PYTHON) -m pip install --quiet --disable-pip-version-check uv
	@$(VENV_PYTHON) -m uv pip compile pyproject.toml --all-extras --universal --python-version 3.11 --upgrade \
		--quiet --no-header --no-annotate --no-emit-index-url --output-file requirements.lock

readme: setup-dev ## write into the README and the notebook what the program says today
	@$(VENV_PYTHON) tests/readme.py
	@$(VENV_PYTHON) tests/docs_notebook.py

screenshots: setup-dev browser ## take the pictures of the page anew
	@$(VENV_PYTHON) tests/screenshots.py

clean: ## remove .venv, builds and caches; indexed papers stay
	@rm -rf .venv build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache

# --- setting up ---

NEW_ENOUGH := import sys; sys.exit(sys.version_info < (3, 11))

# Makes .venv where there is none, its interpreter does not run, or an installation was broken off half-way.
define make_venv
@if [ -e .venv/installing ] || ! $(VENV_PYTHON) -c 'import pip; $(NEW_ENOUGH)' 2>/dev/null; then \
	if ! $(PYTHON) -c '$(NEW_ENOUGH)' 2>/dev/null; then \
		echo "Python 3.11 or newer is needed; $(PYTHON) is: $$($(PYTHON) --version 2>&1). Name another: make chat PYTHON=python3.12" >&2; \
		exit 2; \
	fi; \
	if ! $(PYTHON) -c 'import ensurepip, venv' 2>/dev/null && [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
		apt-get update -qq && apt-get install -y -qq python3-venv >/dev/null; \
	fi; \
	rm -rf .venv; \
	$(PYTHON) -m venv .venv || { rm -rf .venv; exit 2; }; \
fi
endef

# $(call install,STAMP,REQUIREMENT) brings .venv to the lock, unless STAMP says that it is there already.
define install
@key="$$(cat pyproject.toml requirements.lock | cksum) $(CURDIR)"; \
if [ "$$(cat .venv/$(1) 2>/dev/null)" != "$$key" ]; then \
	echo "Installing what is missing into .venv; this can take a minute or two ..."; \
	touch .venv/installing; \
	$(VENV_PYTHON) -m pip install --quiet --disable-pip-version-check -c requirements.lock -e $(2); \
	status=$$?; rm .venv/installing; \
	if [ $$status != 0 ]; then echo "The installation failed, see above." >&2; exit 1; fi; \
	echo "$$key" > .venv/installed; \
	echo "$$key" > .venv/$(1); \
fi
endef

setup:
	$(make_venv)
	$(call install,installed,.)

setup-dev:
	$(make_venv)
	$(call install,installed-dev,'.[dev]')

# Browser tests drive the system's Chromium; a Chinese page needs a Chinese font.
browser:
	@missing=""; \
	command -v chromium >/dev/null || command -v google-chrome >/dev/null || missing="chromium"; \
	fc-list :lang=zh 2>/dev/null | grep -q . || missing="$$missing fontconfig fonts-noto-cjk"; \
	if [ -n "$$missing" ] && [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
		echo "Installing for the browser tests: $$missing"; \
		{ apt-get update -qq && DEBIAN_FRONTEND=noninteractive \
			apt-get install -y -qq --no-install-recommends $$missing >/dev/null; } || echo "That failed, see above."; \
	fi
