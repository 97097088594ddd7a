import pickle


class Cache:
    def __init__(self, client):
        self.client = client

    def restore(self, payload):
        return pickle.loads(payload) # sink: unsafe-deserialization
