from flask import Flask, request
import os
import shlex

app = Flask(__name__)


@app.route("/lookup")
def lookup():
    domain = request.args.get("domain", "")
    stream = os.popen("nslookup " + shlex.quote(domain))
    return stream.read()
