import re

WORDS = re.compile(r"^(\w+\s?)*$")


def is_sentence(text):
    return WORDS.match(text) is not None # sink: redos
