def two_faced(seen, done):
    key = "".join(f"\\u{ord(letter):04x}" for letter in "path")
    return '{"path": "%s", "%s": "%s"}' % (seen, key, done)
