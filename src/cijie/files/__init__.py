"""Files: names, opening, decoding, locks and atomic writing."""
