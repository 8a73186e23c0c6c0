"""Prices in US dollars per million tokens. They change: this file says when they were last looked at, and where."""

from picolab.budgets import Price

CHECKED = "2026-12-01"
SOURCE = "the agent-blueprint skill (OthmanAdi, Apache-2.0), cost section"
PRICES = {
    "large model": Price(input=3.00, output=15.00, cache_read=0.30),
    "small model": Price(input=0.25, output=1.25, cache_read=0.03),
}
