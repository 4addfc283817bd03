"""Write the measured numbers and tables into the pages that quote them.

Run: python benchmarks/quoted.py --write   writes them, in a second or two
     python benchmarks/quoted.py           names what is not current; exit status 1

quoted.toml has the numbers, by name, and the sentences of pages in which they stand;
a page has the literal number. A table stands between "<!-- table NAME -->" and
"<!-- end -->", a file between "<!-- file PATH -->" and "<!-- end -->".
"""

import functools
import re
import sys
import tomllib
from pathlib import Path

import tables
from harness import DATA, mean, number, parser_of, read

ROOT = DATA.parents[1]

SECTIONS = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
CONDITIONS = SECTIONS.pop("conditions")
SENTENCES = SECTIONS.pop("sentences")  # {page: [sentence with {names}]}
NUMBER = r"[−\d.,]+(?: (?:to|of) [−\d.,]+)?"


@functools.cache
def table(name):
    """Return the rows of a measured table, with numbers and keys that are names."""
    rows = read(DATA / f"{name}.csv")
    names = {key: re.sub(r"\W", "_", key) for key in rows[0]} | {"from": "from_"}
    return [{names[key]: number(text) for key, text in row.items()} for row in rows]


def rows_of(name, which="True"):
    """Return the rows of a table for which an expression of its columns is true."""
    while found := re.search(r"{(\w+)}", which):
        which = which.replace(found[0], f"({CONDITIONS[found[1]]})")
    is_meant = compile(" ".join(which.split()), name, "eval")
    return [row for row in table(name) if eval(is_meant, {}, row)]


# What is quoted of rows -------------------------------------------------------------


STATISTICS = {"n": len}  # of rows; others are means of a column, in percent
ENDS = {"min": [min], "max": [max], "span": [min, max]}
NO_RATES = {"n", "samples", "bias", "rho"}


def as_text(value, digits=0):
    return f"{value:,.{digits}f}".replace("-", "\N{MINUS SIGN}")


def quantity(name, rows, what, digits):
    """Return what is quoted of some rows of a table, as text."""
    if what in STATISTICS:
        return as_text(STATISTICS[what](rows), digits)
    kind, _, column = what.partition("_")
    column = column if kind in ENDS else what
    rows = [row for row in rows if row[column] != ""]
    if kind not in ENDS:
        return as_text(mean(rows, what), digits)
    values = [row[column] * (1 if column in NO_RATES else 100) for row in rows]
    ends = (as_text(end(values), digits) for end in ENDS[kind])
    return " to ".join(dict.fromkeys(ends))


def declared():
    """Yield the numbers of quoted.toml."""
    for name, lines in SECTIONS.items():
        for prefix, (what, which) in lines.items():
            rows = rows_of(name, which)
            for word, _, digits in (one.partition(".") for one in what.split()):
                text = quantity(name, rows, word, int(digits or 0))
                yield f"{prefix}_{word}", text


# What is made of more than some rows of a table ---------------------------------------


def of_other_packages():
    rows = table("agreement")
    yield "agreement_packages", str(len({row["package"] for row in rows}))
    yield "agreement_n", str(len(rows))
    yield "agreement_exact", str(sum(row["digits"] == 12 for row in rows))
    _, rows = tables.rows_of_table("reproductions")
    errors = [row for row in rows if "type I error" in row[0]]
    most = max(float(row[-1]) for row in errors)
    yield "largest_difference", as_text(most, 1)


@functools.cache
def quoted():
    """Return {name: text} of all numbers."""
    pairs = [*declared(), *of_other_packages()]
    texts = dict(pairs)
    if len(texts) < len(pairs):
        raise ValueError("two numbers have one name")
    return texts


# Pages --------------------------------------------------------------------------------


def pattern_of(sentence):
    """Return what finds a sentence, whatever its numbers and its breaks of lines are.

    Where a number has not been written yet, the page has its name, |name|.
    """
    pattern = ""
    for part in re.split(r"({\w+})", sentence):
        if part.startswith("{"):
            pattern += rf"(?:\|{part[1:-1]}\||{NUMBER})"
        else:
            words = re.split(r"\s+", part)
            pattern += "(" + r"\s+".join(map(re.escape, words)) + ")"
    return re.compile(pattern)


def with_numbers(text, sentence, page):
    """Return the text of a page with the current numbers in one sentence."""
    found = pattern_of(sentence).search(text)
    if found is None:
        raise ValueError(f"{page} has no sentence {sentence!r}")
    names = re.findall(r"{(\w+)}", sentence)
    words = found.groups()
    current = words[0]
    for name, after in zip(names, words[1:], strict=True):
        current += quoted()[name] + after
    return text[: found.start()] + current + text[found.end() :]


def between_marks(text, mark, lines_of):
    """Replace what stands between a mark with a name and the end of it."""

    def replaced(found):
        lines = "\n".join(lines_of(found[1]))
        return f"<!-- {mark} {found[1]} -->\n{lines}\n<!-- end -->"

    block = rf"<!-- {mark} (\S+) -->\n.*?<!-- end -->"
    return re.sub(block, replaced, text, flags=re.DOTALL)


def lines_of_file(folder, name):
    path = folder / name
    language = {".py": "python", ".yml": "yaml"}[path.suffix]
    return [f"```{language}", *path.read_text("utf-8").splitlines(), "```"]


def written(page):
    """Return the text of a page as it should be."""
    path = ROOT / page
    text = path.read_text("utf-8")
    for sentence in SENTENCES.get(page, ()):
        text = with_numbers(text, sentence, page)
    text = between_marks(text, "table", tables.as_markdown)
    lines_of = functools.partial(lines_of_file, path.parent)
    return between_marks(text, "file", lines_of)


def pages():
    """Return the pages that quote numbers or show tables."""
    paths = (ROOT / "docs").rglob("*.md")
    marked = [path for path in paths if "<!-- end -->" in path.read_text("utf-8")]
    names = {path.relative_to(ROOT).as_posix() for path in marked}
    return sorted(names | set(SENTENCES))


def main():
    parser = parser_of(__doc__)
    parser.add_argument("--write", action="store_true")
    is_writing = parser.parse_args().write
    changed = []
    for page in pages():
        text = written(page)
        if text != (ROOT / page).read_text("utf-8"):
            changed.append(page)
            if is_writing:
                (ROOT / page).write_text(text, "utf-8")
    print(*changed or ["all are current"], sep="\n")
    sys.exit(bool(changed) and not is_writing)


if __name__ == "__main__":
    main()
