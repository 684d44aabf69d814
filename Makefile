PYTHON ?= python3
VENV ?= .venv
BIN = $(VENV)/bin

.PHONY: demo test test-models test-browser soak pictures lint format clean

demo: $(VENV)/cijie  ## recover a few learner sentences
	$(BIN)/cijie demo

test: $(VENV)/development  ## run all tests
	$(BIN)/python -m pytest

test-models: $(VENV)/models  ## run the tests that need torch: encoders, neural segmenters
	$(BIN)/python -m pytest tests/segmenters tests/similarity/test_bert.py

test-browser: $(VENV)/browser  ## test the pages; needs chromium, on the path or in $$CHROMIUM
	$(BIN)/python -m pytest tests/viewer

soak: $(VENV)/development  ## disturb runs for SECONDS (600): kills, early ends, collisions, damage
	$(BIN)/python scripts/soak.py --seconds $${SECONDS:-600}

pictures: $(VENV)/browser  ## make the pictures of docs/ again; needs a Chinese font
	$(BIN)/cijie show 我参加了旅行困，吃么什都好 我参加了旅行团，吃什么都好 --format svg -o docs/pictures/show.svg
	CIJIE_PICTURES=docs/pictures $(BIN)/python -m pytest tests/viewer/test_walk_through.py tests/viewer/test_view_pictures.py

lint: $(VENV)/development  ## check style and types
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy

format: $(VENV)/development  ## rewrite the code in the project's style
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

clean:
	rm -rf $(VENV) build dist

$(VENV)/cijie: pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade 'pip>=25.1'
	$(BIN)/python -m pip install --quiet --editable .
	touch $@

$(VENV)/development: $(VENV)/cijie
	$(BIN)/python -m pip install --quiet --group test --group formats --group lint
	touch $@

$(VENV)/models: $(VENV)/development
	$(BIN)/python -m pip install --quiet --group models
	touch $@

$(VENV)/browser: $(VENV)/development
	$(BIN)/python -m pip install --quiet --group browser
	touch $@
