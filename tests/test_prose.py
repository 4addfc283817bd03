"""Turns of phrase over which an English-speaking reader stumbles."""

import functools
import io
import json
import re
import tokenize
from pathlib import Path

import pytest

pytestmark = pytest.mark.lint

ROOT = Path(__file__).parent.parent
RECORDS = {"CHANGELOG.md"}  # of what was said
PAGES = [
    path
    for folder, pattern in (("docs", "*.rst"), ("docs", "*.md"), (".", "*.md"))
    for path in sorted((ROOT / folder).glob(pattern))
    if path.name not in RECORDS
] + [
    path
    for path in sorted((ROOT / "docs").glob("[agpc]*/*.*"))
    if path.suffix in (".md", ".rst")
    and path.parent.name != "auto_examples"  # made from the examples
]
CODE = [
    path
    for folder in ("sklearn_cvtest", "examples")
    for path in sorted((ROOT / folder).rglob("*.py"))
]
EXAMPLES = [path for path in CODE if "examples" in path.relative_to(ROOT).parts]
TICS = {  # what to write instead: a pattern
    '"for a search", not "of a search"': r"(?:^|[.:;?] )Of (?!(?:the |these )?[\d|])",
    "the noun, or 's": r"\b(?:[Tt]hat|[Tt]hose) of\b|\bof whom\b",
    '"if the null hypothesis holds"': r"\bdid the null\b",
    '"per split"': r"\b(?:number|score|value)s? a (?:fold|run|split)\b",
    '"two examples per coefficient"': r"\bexamples? a coefficient\b",
    '"make them disjoint", "use it with"': r"\bLet them\b|\bto be asked for\b",
    '"works with fewer"': r"\bcan do with (?:fewer|less)\b",
    '"by memorising the group"': r"\bpass(?:es)? for what\b",
    '"repeatedly", "cannot be negated"': r"\btime and again\b|\bno opposite\b",
    '"An outlier does this"': r"\bAs does\b|\bWhose \w+ it is\b",
    '"lead to the same decision"': r"\bseed (?:says|said)\b|\bwould say the same\b",
    '"is behind by"': r"\blead (?:is|of) [-−]",
    '"based on p-values adjusted for"': r"\bDecisions use\b|\bafter holm\b",
    '"carry as much information"': r"\btell as much\b|\bas if folds told\b",
    '"to detect it needs"': r"\bthe one that was asked for\b|\bexamples there are\b",
    '"must make at most"': r"\bmust be one of at most\b",
    '"do not differ significantly"': r"\b(?:told|tells?|telling) (?:\w+ )?apart\b",
    '"depends on", "is sensitive to"': r"\bhangs? on\b",
    '"use ..."': r"\bWhat helps\b|\bNor (?:are|is|do|does|can)\b",
    '"reduces the bias", "was not used"': r"\bno cure\b|\bThat helps\b|\bhad no say\b",
    '"is estimated poorly"': r"\bknows? (?:less|more|little|nothing) of\b",
}
TICS_OF_PAGES = {  # of pages and examples
    '"detects", "raises a warning"': r"\btells? of\b|\btold of\b",
    '"optimistic"': r"\btoo good\b",
    '"on average"': r"\bin the mean\b",
    '"an agent that ...", "if you"': r"\b(?i:whoever)\b",
    '"the scores that you have"': r"\bthat there are\b|\b(?:is|are) there already\b",
    '"is not known for"': r"\bof one it is not known\b|\bof it it\b",
    '"refers to the same population"': r"\bon data like these\b",
}


@functools.cache
def texts(path):
    """Return the strings and comments of a module, or the text of a page, in lines."""
    source = path.read_text(encoding="utf-8")
    if path.suffix != ".py":
        return [re.sub(r"\s*\n\s*", " ", part) for part in source.split("\n\n")]
    kinds = tokenize.STRING, tokenize.COMMENT
    found, last = [], None
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type in kinds:
            text = token.string.strip("fr\"'# ")
            parts = [re.sub(r"\s*\n\s*", " ", part) for part in text.split("\n\n")]
            if token.type == last:  # a sentence goes on in the next string
                parts[0] = f"{found.pop()} {parts[0]}"
            found += parts
        if token.type not in (tokenize.NL, tokenize.NEWLINE):
            last = token.type
    return found


@pytest.mark.parametrize("better", [*TICS, *TICS_OF_PAGES])
def test_there_are_no_turns_of_phrase_to_stumble_over(better):
    tic = re.compile((TICS | TICS_OF_PAGES)[better])
    found = [
        (str(path.relative_to(ROOT)), text[max(0, match.start() - 30) :][:100])
        for path in PAGES + (CODE if better in TICS else EXAMPLES)
        for text in texts(path)
        for match in tic.finditer(text)
    ]
    assert found == []


def test_printed_words_are_read_by_the_test_above():
    path = next(path for path in CODE if path.match("_report/_verdict_on_two.py"))
    assert any("The test has 80% power to detect" in text for text in texts(path))


def strings_of(value):
    """Yield the strings in what a JSON file holds, without the keys."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for part in value.values():
            yield from strings_of(part)
    elif isinstance(value, list):
        for part in value:
            yield from strings_of(part)


@pytest.mark.parametrize(
    "path",
    sorted((ROOT / "sklearn_cvtest").rglob("*.json")),
    ids=lambda path: path.name,
)
def test_sentences_stand_in_code_where_a_search_finds_them(path):
    """Files hold names and titles, and no templates of what is printed."""
    strings = strings_of(json.loads(path.read_text(encoding="utf-8")))
    assert not [text for text in strings if "{" in text]
