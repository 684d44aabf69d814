"""ES modules as one script: a page on disk may not load modules that lie beside it."""

from __future__ import annotations

import re
from collections.abc import Callable

_IMPORT = re.compile(r'^import \{[^}]*\} from "\./([\w.]+)";\n+', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?function |class |const )", re.MULTILINE)


def bundle(name: str, read: Callable[[str], str]) -> str:
    """A module and all that it imports, each once and behind what it needs itself.

    Modules import by name from files beside them and export declarations, no more. They come into
    one scope, so no two of them may declare the same name: a browser refuses the script then.

    Args:
        name: the file of the module that starts the page.
        read: gives the text of a file by its name.

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
