from html import escape

from flask import Flask, make_response, request

app = Flask(__name__)


@app.route("/greet")
def greet():
    name = request.args.get("name", "")
    return make_response("<p>Hello " + escape(name) + "</p>")
