"""Makes one package of several: merge.py OUT.ksp IN.ksp ..., each a variant."""

import json
import sys
import zipfile

with zipfile.ZipFile(sys.argv[1], "w", zipfile.ZIP_STORED) as out:
    manifest = {"format": 1, "producer": "merge.py", "variants": len(sys.argv) - 2}
    out.writestr("manifest.json", json.dumps(manifest))
    for number, path in enumerate(sys.argv[2:]):
        with zipfile.ZipFile(path) as package:
            for name in package.namelist():
                if name.startswith("0/"):
                    out.writestr(f"{number}/{name[2:]}", package.read(name))
