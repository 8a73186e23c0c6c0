# expect: as a killed process leaves it
def believed(events):
    return events[-1].state == "completed"
