import random
import string


def new_session_token(size=24):
    letters = string.ascii_letters
    return "".join(random.choice(letters) for _ in range(size)) # sink: weak-crypto
