import os
from flask import Flask, request, send_file

app = Flask(__name__)
FOLDER = "/srv/attachments"


@app.route("/attachment")
def attachment():
    name = request.args["name"]
    full = os.path.join(FOLDER, name)
    return send_file(full) # sink: path-traversal
