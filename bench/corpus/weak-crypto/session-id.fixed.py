import secrets
import string


def new_session_token(size=24):
    letters = string.ascii_letters
    return "".join(secrets.choice(letters) for _ in range(size))
