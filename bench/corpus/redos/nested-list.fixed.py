import re

WORDS = re.compile(r"^\w+(?: \w+)*$")


def is_sentence(text):
    return WORDS.match(text) is not None
