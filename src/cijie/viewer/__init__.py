"""Show results on static pages and in terminals.

Each page is one HTML file that works from disk, without a server or a network. All values on it are
computed here; its scripts only draw, filter and add up.
"""
