from urllib.parse import urlparse

import requests
from flask import Blueprint, request

preview = Blueprint("preview", __name__)
HOSTS = {"docs.example.org", "blog.example.org"}


@preview.route("/preview")
def show():
    address = request.args.get("address")
    if urlparse(address).hostname not in HOSTS:
        return "refused", 400
    page = requests.get(address, timeout=5)
    return page.text[:1000]
