# What is run on a change, each in one place; .ci/run and CONTRIBUTING.md call these.
# PYTHON is that of a virtual environment with the extra "test" ("docs" for docs), and
# PYTEST any options for pytest, such as PYTEST="-n 2".

PYTHON = .venv/bin/python
PYTEST =
ENVIRONMENTS = build/environments
NEW_ENVIRONMENT = $(PYTHON) -m venv --without-pip
INSTALL_INTO = $(PYTHON) -m pip --quiet --python

.PHONY: help test test-more test-all slow fuzz style lint docs site-check quick bench agreement paper dist wheel oldest constraints clean

help:  ## show this list
	@grep -E '^[a-z-]+:.*##' Makefile | sed -E 's/:.*## /	/' | expand -t 10

test:  ## the test suite and the doctests, some minutes
	$(PYTHON) -m pytest $(PYTEST)

test-more:  ## the tests that `make test` leaves out, but those of `make lint` and `make slow`
	$(PYTHON) -m pytest -m "full and not slow" $(PYTEST)

test-all:  ## all tests but the long calibration runs and lint
	$(PYTHON) -m pytest -m "not lint and not slow" $(PYTEST)

slow:  ## the long calibration runs
	$(PYTHON) -m pytest -m slow $(PYTEST)

CALLS = 2000
fuzz:  ## random calls of all that is public, others each time (CALLS, SEED)
	$(PYTHON) tests/test_fuzz_calls.py --calls $(CALLS) $(if $(SEED),--seed $(SEED))

style:  ## style, spelling, types, docstrings
	$(PYTHON) -m ruff check .
	$(PYTHON) -m ruff format --check .
	$(PYTHON) -m codespell_lib
	$(PYTHON) -m mypy
	$(PYTHON) -m numpydoc lint $$(find sklearn_cvtest -name '*.py')

lint: style  ## style, and the tests of layers, documentation, releases
	$(PYTHON) -m pytest -m lint tests $(PYTEST)

docs:  ## the documentation, in docs/_build/html
	$(PYTHON) -m sphinx -W --keep-going -q -b html docs docs/_build/html

site-check:  ## the built documentation in a browser: widths, themes, contrast, links
	.ci/check_site docs/_build/html

quick:  ## few samples of what pages state, beside the stored rates: ten minutes
	OMP_NUM_THREADS=1 $(PYTHON) benchmarks/quick.py

bench:  ## what is timed, and against what
	OMP_NUM_THREADS=1 $(PYTHON) benchmarks/speed.py

agreement:  ## whether other packages still give the numbers of docs/data/agreement.csv
	$(PYTHON) benchmarks/agreement.py --check

paper:  ## the paper, build/paper/paper.pdf; after: pip install -e ".[paper]"
	$(PYTHON) paper/build.py

dist:  ## sdist and wheel, checked
	rm -rf dist $(ENVIRONMENTS)/dist
	$(NEW_ENVIRONMENT) $(ENVIRONMENTS)/dist
	$(INSTALL_INTO) $(ENVIRONMENTS)/dist install build cffconvert setuptools twine
	$(ENVIRONMENTS)/dist/bin/cffconvert --validate
	$(ENVIRONMENTS)/dist/bin/python -m build --no-isolation
	$(ENVIRONMENTS)/dist/bin/python -m twine check --strict dist/*
	$(PYTHON) .ci/check_dist.py

wheel:  ## the quick start with the wheel of dist/ and nothing but its dependencies
	rm -rf $(ENVIRONMENTS)/wheel
	$(NEW_ENVIRONMENT) $(ENVIRONMENTS)/wheel
	$(INSTALL_INTO) $(ENVIRONMENTS)/wheel install dist/*.whl
	$(ENVIRONMENTS)/wheel/bin/python examples/1_quickstart/is_it_really_better.py

# What depends on versions: not what simulates, kills processes, starts clusters, or runs
# examples, pages and files for long.
NOT_ON_OLDEST = calibration published papers examples \
	docs release dask large_data memory progress fuzz_files fuzz_calls failed_fits properties texts

# Nothing but the wheel can be imported: the package is taken out of the unpacked sdist.
# (Some package on the index installs a module "tests", hence the dot.)
# matplotlib 3.7 calls what later versions of pyparsing deprecate.
oldest:  ## the tests of the sdist on the wheel and the oldest versions allowed
	rm -rf $(ENVIRONMENTS)/oldest build/sdist
	$(NEW_ENVIRONMENT) $(ENVIRONMENTS)/oldest
	PIP_CONSTRAINT= $(INSTALL_INTO) $(ENVIRONMENTS)/oldest install dist/*.whl $$($(PYTHON) .ci/oldest.py test) \
		"pyparsing<3.1"
	mkdir build/sdist
	tar -xf dist/*.tar.gz -C build/sdist --strip-components 1
	rm -r build/sdist/sklearn_cvtest
	cd build/sdist && ../environments/oldest/bin/python -m pytest $(PYTEST) \
		$(NOT_ON_OLDEST:%=--ignore-glob='*/test_%.py') ./tests --pyargs sklearn_cvtest

constraints:  ## the newest versions of all that the extras need, in .ci/constraints.txt
	rm -rf $(ENVIRONMENTS)/newest
	$(PYTHON) -m venv $(ENVIRONMENTS)/newest
	PIP_CONSTRAINT= $(ENVIRONMENTS)/newest/bin/python -m pip install -q ".[test,docs,peers,paper]"
	$(ENVIRONMENTS)/newest/bin/python -m pip freeze --exclude sklearn_cvtest > .ci/constraints.txt

clean:  ## remove what these make
	rm -rf build dist docs/_build docs/auto_examples docs/generated
