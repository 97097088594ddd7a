import requests
from flask import Blueprint, request

preview = Blueprint("preview", __name__)
HOSTS = {"docs.example.org", "blog.example.org"}


@preview.route("/preview")
def show():
    address = request.args.get("address")
    page = requests.get(address, timeout=5) # sink: ssrf
    return page.text[:1000]
