import os
from flask import Flask, request, send_file

app = Flask(__name__)
FOLDER = "/srv/attachments"


@app.route("/attachment")
def attachment():
    name = request.args["name"]
    full = os.path.join(FOLDER, name)
    if not os.path.realpath(full).startswith(FOLDER + os.sep):
        return "forbidden", 403
    return send_file(full)
