"""Chinese word boundary recovery: align a noisy source with its target, project the boundaries.

What is exported is listed, with types, in `__init__.pyi`; each name is imported when it is used.
"""

import lazy_loader

__version__ = "0.2.0"

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
