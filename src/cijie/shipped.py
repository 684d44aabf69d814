"""Bundled data, which worker processes read themselves instead of receiving them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, SupportsIndex

if TYPE_CHECKING:
    from typing_extensions import Self


class Shipped:
    """Base class for data with a bundled default, which `builtin()` returns.

    What that gives is pickled by reference, in some 100 bytes: the receiver reads the data
    that came with its own cijie. Any other data is pickled whole.
    """

    __slots__ = ("_is_builtin",)

    def _as_builtin(self) -> Self:
        """Mark the result of `builtin()` as such."""
        object.__setattr__(self, "_is_builtin", True)
        return self

    def __reduce_ex__(self, protocol: SupportsIndex) -> Any:
        if getattr(self, "_is_builtin", False):
            return type(self).builtin, ()  # type: ignore[attr-defined]
        return super().__reduce_ex__(protocol)
