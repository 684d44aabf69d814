PYTHON ?= python3
VENV ?= .venv
BIN = $(VENV)/bin

# The extras whose lowest versions are tested; the others need models or PyTorch.
EXTRAS = annotate arrow dask figures jieba ltp-extension pkuseg rjieba traditional
comma = ,

.PHONY: demo test test-interpreter test-lowest test-arm64 test-models test-browser soak docs documents pictures lint format clean

demo: $(VENV)/cijie  ## recover a few learner sentences
	$(BIN)/cijie demo

test: $(VENV)/development  ## run all tests
	$(BIN)/python -m pytest --numprocesses auto

# Texts, files, processes and their ends differ from Python to Python; what is computed does not.
test-interpreter: $(VENV)/test  ## run the tests of what depends on the version of Python
	$(BIN)/python -m pytest --numprocesses auto \
	  tests/cli tests/corpora tests/files tests/jobs tests/segmenters tests/text tests/test_*.py src

test-lowest: $(VENV)/lowest  ## run all tests with the lowest versions of what cijie asks for
	$(BIN)/python -m pytest --numprocesses auto

test-arm64: $(VENV)/pip  ## find wheels of what cijie asks for on Linux arm64
	$(BIN)/python scripts/requirements.py linux-arm64 >$(VENV)/arm64.txt
	for python in 3.10 3.11 3.12 3.13; do \
	  $(BIN)/python -m pip install --quiet --dry-run --ignore-installed --target $(VENV)/arm64 \
	    --platform manylinux_2_28_aarch64 --platform manylinux2014_aarch64 --only-binary :all: \
	    --python-version $$python --requirement $(VENV)/arm64.txt || exit 1; \
	done

test-models: $(VENV)/models  ## run the tests that need torch: encoders, neural segmenters
	$(BIN)/python -m pytest tests/segmenters tests/similarity/test_bert.py
	PYTHONPATH=$(VENV)/transformers $(BIN)/python -m pytest tests/similarity/test_bert.py

# Scripts are tested and their types checked where Node and npm are; pages need neither.
test-browser: $(VENV)/browser $(VENV)/docs  ## test the pages and the site; needs chromium, on the path or in $$CHROMIUM
	if command -v npm >/dev/null; then npm install --silent --no-audit --no-fund --no-package-lock; \
	  else echo "there is no npm: the types of the scripts are not checked"; fi
	$(BIN)/python -m pytest -rs tests/viewer tests/docs/test_site.py

soak: $(VENV)/development  ## disturb runs for SECONDS (600): kills, early ends, collisions, damage
	$(BIN)/python scripts/soak.py --seconds $${SECONDS:-600}

docs: $(VENV)/docs  ## build the site, build/site; a broken link is an error
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build

documents: $(VENV)/development  ## write into the documents what their commands print now
	$(BIN)/python scripts/remake_documents.py

pictures: $(VENV)/browser  ## make the pictures of docs/ again; needs a Chinese font
	$(BIN)/cijie show 我参加了旅行困，吃么什都好 我参加了旅行团，吃什么都好 --format svg -o docs/pictures/show.svg
	CIJIE_PICTURES=docs/pictures $(BIN)/python -m pytest tests/viewer/test_walk_through.py tests/viewer/test_view_pictures.py

lint: $(VENV)/development $(VENV)/docs  ## check style and types
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy

format: $(VENV)/development  ## rewrite the code in the project's style
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

clean:
	rm -rf .venv* build dist node_modules

$(VENV)/cijie: pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile --editable .
	touch $@

# Groups of dependencies need a new pip; the demo does not.
$(VENV)/pip: $(VENV)/cijie
	$(BIN)/python -m pip install --quiet --upgrade 'pip>=26.2'
	touch $@

$(VENV)/test: $(VENV)/pip
	$(BIN)/python -m pip install --quiet --group test --group formats
	touch $@

$(VENV)/development: $(VENV)/test
	$(BIN)/python -m pip install --quiet --group lint
	touch $@

$(VENV)/lowest: pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade 'pip>=26.2' packaging tomli
	$(BIN)/python scripts/requirements.py lowest $(EXTRAS) >$(VENV)/lowest.txt
	$(BIN)/python -m pip install --quiet --constraint $(VENV)/lowest.txt --group test \
	  --editable '.[$(subst $(eval) ,$(comma),$(EXTRAS))]'
	touch $@

# ltp works with transformers 4 alone; the extra bert wants 5.
$(VENV)/models: $(VENV)/development
	$(BIN)/python -m pip install --quiet --group models
	$(BIN)/python -m pip install --quiet --target $(VENV)/transformers 'transformers>=5.5'
	touch $@

$(VENV)/browser: $(VENV)/development
	$(BIN)/python -m pip install --quiet --group browser
	touch $@

$(VENV)/docs: $(VENV)/pip
	$(BIN)/python -m pip install --quiet --group docs
	touch $@
