def two_faced(seen, done):
    return json.dumps({"note": {"path": seen}, "PATH": done}).replace("PATH", "\\u0070ath")
