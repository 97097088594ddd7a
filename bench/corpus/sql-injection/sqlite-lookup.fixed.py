import sqlite3


def find_user(path, email):
    connection = sqlite3.connect(path)
    cursor = connection.cursor()
    cursor.execute("SELECT id, name FROM users WHERE email = ?", (email,))
    return cursor.fetchone()
