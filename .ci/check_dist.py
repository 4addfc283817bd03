"""Check that dist/ holds one sdist and one wheel with the files they should have.

Run: python .ci/check_dist.py, in the root of the repository.
"""

import sys
import tarfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).parent.parent
FOLDERS = (
    ".ci",
    ".github",
    "benchmarks",
    "docs",
    "examples",
    "paper",
    "sklearn_cvtest",
    "tests",
)
FILES = (
    ".gitignore",
    ".pre-commit-config.yaml",
    "AGENTS.md",
    "CHANGELOG.md",
    "CITATION.cff",
    "CODE_OF_CONDUCT.md",
    "CONTRIBUTING.md",
    "LICENSE",
    "MANIFEST.in",
    "Makefile",
    "README.md",
    "SECURITY.md",
    "SUPPORT.md",
    "pyproject.toml",
    "setup.cfg",
)
MADE = (
    "__pycache__",
    "docs/_build",
    "docs/auto_examples",
    "docs/generated",
    "paper/figures",
)
MADE_FILES = ("docs/sg_execution_times.rst",)


def is_made(name):
    """Whether a file is made by running something, and so never distributed."""
    return name in MADE_FILES or any(f"{made}/" in f"{name}" for made in MADE)


def sources(*folders):
    """Return the files of folders, relative to the root."""
    found = (path for folder in folders for path in (ROOT / folder).rglob("*"))
    names = {path.relative_to(ROOT).as_posix() for path in found if path.is_file()}
    return {name for name in names if not is_made(name)}


def only(pattern):
    (path,) = (ROOT / "dist").glob(pattern)
    return path


def sdist_files():
    with tarfile.open(only("*.tar.gz")) as archive:
        names = [member.name for member in archive if member.isfile()]
    names = {name.partition("/")[2] for name in names}
    return {name for name in names if ".egg-info/" not in name and name != "PKG-INFO"}


def wheel_files():
    with zipfile.ZipFile(only("*.whl")) as archive:
        names = set(archive.namelist())
    return {name for name in names if ".dist-info/" not in name}


def differences(what, found, expected):
    """Yield a line for each file too many or too few."""
    yield from (f"{what} lacks {name}" for name in sorted(expected - found))
    yield from (f"{what} should not hold {name}" for name in sorted(found - expected))


def main():
    wrong = [
        *differences("sdist", sdist_files(), sources(*FOLDERS).union(FILES)),
        *differences("wheel", wheel_files(), sources("sklearn_cvtest")),
    ]
    print("\n".join(wrong) or "sdist and wheel hold what they should")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
