"""Bundle ES modules into one script: a page opened from disk may not load modules from files."""

from __future__ import annotations

import re
from collections.abc import Callable

_IMPORT = re.compile(r'^import \{[^}]*\} from "\./([\w.]+)";\n+', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?function |class |const )", re.MULTILINE)


def bundle(name: str, read: Callable[[str], str]) -> str:
    """Concatenate a module and its imports, each module once and after its own imports.

    Modules may only import names from files in the same folder and export declarations. They share
    one scope, so no two of them may declare the same name: a browser would refuse the script.

    Args:
        name: the file name of the entry module.
        read: returns the text of a file, by its name.

    >>> needed = "export const b = 1;\\n"
    >>> modules = {"a.js": 'import { b } from "./b.js";\\nb();\\n', "b.js": needed}
    >>> bundle("a.js", modules.__getitem__)
    'const b = 1;\\nb();\\n'
    """
    texts: dict[str, str] = {}

    def add(name: str) -> None:
        if name in texts:
            return
        text = read(name)
        texts[name] = ""  # not read again by a module that it needs
        for needed in _IMPORT.findall(text):
            add(needed)
        del texts[name]
        texts[name] = _EXPORT.sub("", _IMPORT.sub("", text))

    add(name)
    return "".join(texts.values())
