"""Files are written by one function, which replaces no file of another kind."""

import ast
import re
from pathlib import Path

import pytest

import sklearn_cvtest
from sklearn_cvtest import compare_scores

LIBRARIES = ("np", "json", "joblib", "pickle")


def test_every_file_is_written_by_one_function():
    functions = {"write_text", "write_bytes", "savez", "savez_compressed"}
    functions |= {"savefig", "tofile", "touch"}
    writing = set()
    folder = Path(sklearn_cvtest.__file__).parent
    for path in folder.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call):
                continue
            name = getattr(node.func, "attr", getattr(node.func, "id", ""))
            owner = getattr(getattr(node.func, "value", None), "id", "")
            modes = [k.value for k in node.keywords if k.arg == "mode"]
            modes = "".join(
                str(getattr(mode, "value", "")) for mode in [*node.args[1:2], *modes]
            )
            opens = re.fullmatch("[rwaxbt+]*[wax+][bt+]*", modes)
            if (
                name in functions
                or (name in ("open", "fdopen") and opens)
                or (name in ("save", "dump") and owner in LIBRARIES)
            ):
                writing.add(path.relative_to(folder).as_posix())
    assert writing <= {
        "_store/_array_files.py",  # the one function
        "_display/_page_pictures.py",  # into memory
    }
    assert "_store/_array_files.py" in writing


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("method", ["save", "to_html", "to_json"])
def test_a_file_of_another_kind_is_not_replaced(method, tmp_path):
    result = compare_scores({"a": [1.0, 2, 3, 5], "b": [2.0, 2, 4, 4]})
    write = getattr(result, method)
    path = tmp_path / "file"
    path.write_text("fold,score\n0,0.5\n")
    with pytest.raises(ValueError, match="something else"):
        write(path)
    assert path.read_text() == "fold,score\n0,0.5\n"
    path.write_text("")
    write(path)
    write(path)
    assert path.stat().st_size > 20
    assert [item.name for item in tmp_path.iterdir()] == ["file"]
