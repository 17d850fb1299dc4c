"""Consolidation: memories merged, mended and pruned, by itself when it is due or when the person asks. Req: G1-G5."""
