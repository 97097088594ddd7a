import os
import subprocess


class Archiver:
    def __init__(self, root):
        self.root = root

    def pack(self, name, files):
        target = os.path.join(self.root, name + ".tar.gz")
        listing = " ".join(files)
        subprocess.check_call("tar czf %s %s" % (target, listing), shell=True) # sink: command-injection
        return target
