import json


class Cache:
    def __init__(self, client):
        self.client = client

    def restore(self, payload):
        return json.loads(payload)
