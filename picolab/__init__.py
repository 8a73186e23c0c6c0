"""picolab."""
