import os
import zipfile


def unpack(archive, folder):
    with zipfile.ZipFile(archive) as bundle:
        for name in bundle.namelist():
            target = os.path.join(folder, name)
            if not os.path.abspath(target).startswith(os.path.abspath(folder) + os.sep):
                raise ValueError("entry leaves the folder")
            os.makedirs(os.path.dirname(target), exist_ok=True)
            with open(target, "wb") as out:
                out.write(bundle.read(name))
