import re


def without_comments(source):
    lines = source.split("\n")
    return "\n".join(line.split("#", 1)[0] for line in lines)
