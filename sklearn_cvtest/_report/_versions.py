"""The versions of the libraries that computed a result."""

import platform

import numpy as np
import scipy
import sklearn

from .._version import __version__


def versions():
    """Return {library: version}."""
    return {
        "sklearn_cvtest": __version__,
        "scikit-learn": sklearn.__version__,
        "numpy": np.__version__,
        "scipy": scipy.__version__,
        "Python": platform.python_version(),
    }


def software_sentence():
    """Return what a paper says of the software."""
    return (
        f"Software: sklearn_cvtest {__version__}, scikit-learn {sklearn.__version__}."
    )


def version_sentence(verb="Computed"):
    """Return a sentence of them."""
    listed = ", ".join(f"{name} {version}" for name, version in versions().items())
    return f"{verb} with {listed}."
