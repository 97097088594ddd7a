import os
import subprocess


class Archiver:
    def __init__(self, root):
        self.root = root

    def pack(self, name, files):
        target = os.path.join(self.root, name + ".tar.gz")
        subprocess.check_call(["tar", "czf", target, "--"] + list(files))
        return target
