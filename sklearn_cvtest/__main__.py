"""`python -m sklearn_cvtest`, the same as the command `sklearn-cvtest`."""

import sys

from ._results._command import main

if __name__ == "__main__":
    sys.exit(main())
