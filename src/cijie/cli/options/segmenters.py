"""Options that name a segmenter, and the file of settings."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from cijie.cli.options.base import option, options
from cijie.cli.options.paths import READ_FILE, SETTINGS_FILE

if TYPE_CHECKING:
    from cijie.segmenters import Segmenter


class _SettingsFile(click.Path):
    """A file of settings, which are the defaults of the command's options, where it has them."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        from cijie.cli.settings import read_settings, refusal

        path = str(super().convert(value, param, ctx))
        settings = read_settings(path)
        for name, setting in settings.items():
            if why := refusal(name, setting):
                raise click.UsageError(f"{path}: {why}", ctx)
        assert ctx is not None
        ctx.meta[SETTINGS_FILE] = path
        ctx.default_map = {
            str(option.name): settings[name.removeprefix("--")]
            for option in ctx.command.params
            if isinstance(option, click.Option) and not option.multiple
            for name in option.opts
            if name.removeprefix("--") in settings
        }
        return path


def _adapters(_: click.Context, __: click.Parameter, incomplete: str) -> list[str]:
    """For completion in a shell."""
    from cijie.segmenters import adapters

    return [name for name in adapters() if name.startswith(incomplete)]


@options()
class Settings:
    """A file that has the defaults of other options."""

    config: str | None = option(
        None,
        "A TOML file of settings, as `cijie config` and `cijie tune --best` write it. Options on "
        "the command line win.  [default: $CIJIE_CONFIG]",
        type=_SettingsFile(exists=True, dir_okay=False, allow_dash=True),
        is_eager=True,
        envvar="CIJIE_CONFIG",
        rare=True,
    )


@options("Segmenter")
class SegmenterChoice(Settings):
    """A segmenter, with its options."""

    segmenter: str | None = option(
        None,
        "A segmenter that `cijie info` lists, or module:function.  [default: $CIJIE_SEGMENTER, "
        "else wapic; rjieba where wapic is not installed]",
        metavar="NAME",
        shell_complete=_adapters,
    )
    segmenter_option: tuple[str, ...] = option(
        (), "An option of the segmenter, such as hmm=off.", metavar="NAME=VALUE", rare=True
    )
    user_words: str | None = option(
        None,
        "Words that the segmenter keeps whole: a file with one word per line, as jieba's.",
        type=READ_FILE,
        metavar="FILE",
        rare=True,
    )

    def load(self, skipped: Counter[str] | None = None) -> Segmenter:
        """The segmenter; what is skipped of the file of words is counted."""
        from cijie.corpora.words import read_words
        from cijie.segmenters import default_segmenter, load_segmenter

        settings = [_setting(setting) for setting in self.segmenter_option]
        options = dict(settings)
        if len(options) < len(settings):
            raise click.UsageError("--segmenter-option has one name twice")
        name = self.segmenter or default_segmenter(partial(click.echo, err=True))
        words = () if self.user_words is None else read_words(self.user_words, skipped=skipped)
        return load_segmenter(name, options, words)

    def called(self, name: str) -> SegmenterChoice:
        """The same options, for the segmenter of another name."""
        return replace(self, segmenter=name)


def _setting(text: str) -> tuple[str, str | bool]:
    name, equals, value = text.partition("=")
    if not equals:
        raise click.UsageError(f"--segmenter-option takes NAME=VALUE, not {text!r}")
    switches = {"on": True, "true": True, "off": False, "false": False}
    return name, switches.get(value.lower(), value)
