"""The arithmetic of agents: one module a subject, used by lessons, widgets, exercises and the command line alike."""
