from flask import Flask, redirect, request

app = Flask(__name__)


@app.route("/locale")
def locale():
    back = request.args.get("back")
    return redirect(back if back in ("/", "/help") else "/")
