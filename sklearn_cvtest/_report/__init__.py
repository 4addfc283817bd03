"""What a comparison says: sentences, text and pages."""

import json
from functools import cache
from importlib.resources import files


@cache
def packaged(package, name):
    """Return the text of a file of a package."""
    return files(package).joinpath(name).read_text(encoding="utf-8")


@cache
def words_of(package):
    """Return the templates of the sentences of a package, {theme: {what: text}}."""
    return json.loads(packaged(package, "words.json"))
