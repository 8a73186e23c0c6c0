def replies(events):
    count = 0
    for event in events:
        match event:
            case ModelReplied():
                count += 1
    return count
