import os
import zipfile


def unpack(archive, folder):
    with zipfile.ZipFile(archive) as bundle:
        for name in bundle.namelist():
            target = os.path.join(folder, name)
            os.makedirs(os.path.dirname(target), exist_ok=True)
            with open(target, "wb") as out: # sink: path-traversal
                out.write(bundle.read(name))
