"""Results to look at, on static pages and in terminals, and sentences to annotate.

Each page is one HTML file that works from disk, without a server or a network. What it shows is
computed here, as plain values; its scripts only draw, filter and add up.
"""
