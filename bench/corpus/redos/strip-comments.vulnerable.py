import re


def without_comments(source):
    return re.sub(r"\s*#.*$", "", source, flags=re.M) # sink: redos
