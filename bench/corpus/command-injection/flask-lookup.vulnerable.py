from flask import Flask, request
import os

app = Flask(__name__)


@app.route("/lookup")
def lookup():
    domain = request.args.get("domain", "")
    stream = os.popen("nslookup " + domain) # sink: command-injection
    return stream.read()
