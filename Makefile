# Every target is a line of start.py, which needs nothing but Python.
# PYTHON=… chooses the interpreter, PORT=… the port of JupyterLab, N=… the module to grade.

FOUND := $(shell command -v python3 || command -v python3.13 || command -v python3.12 || command -v python3.11 || command -v python)
export PYTHON PORT N

.PHONY: help lab test setup build check grade

help lab test setup build check grade:
	@if [ -z "$(PYTHON)$(FOUND)" ]; then echo "Python 3.11 or newer is needed, and none was found. Install one, then try again." >&2; exit 1; fi
	@"$(if $(PYTHON),$(PYTHON),$(FOUND))" start.py $@

.DEFAULT_GOAL := help
