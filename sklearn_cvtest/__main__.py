"""The command `sklearn-cvtest`: is this model really better than that one?"""

import sys

from ._tables.command import main

if __name__ == "__main__":
    sys.exit(main())
