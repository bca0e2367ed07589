"""Reads CTranslate2's model.bin."""

import struct

import numpy as np

NUMPY_TYPES = {0: np.float32, 1: np.int8, 2: np.int16, 3: np.int32, 4: np.float16}


def load(path):
    """Tensors by name. CTranslate2's model.bin, version 6: counted strings, dimensions, type, bytes; then aliases."""
    with open(path, "rb") as file:
        data = file.read()
    at = 0

    def number(code):
        nonlocal at
        value = struct.unpack_from("<" + code, data, at)[0]
        at += struct.calcsize(code)
        return value

    def string():
        nonlocal at
        length = number("H")
        value = data[at : at + length].rstrip(b"\0").decode()
        at += length
        return value

    version, specification, _revision, count = number("I"), string(), number("I"), number("I")
    if (version, specification) != (6, "WhisperSpec"):
        raise SystemExit(f"{path}: expected CTranslate2 version 6 WhisperSpec, found {version} {specification}")
    tensors = {}
    for _ in range(count):
        name = string()
        shape = [number("I") for _ in range(number("B"))]
        kind = NUMPY_TYPES[number("B")]
        size = number("I")
        tensors[name] = np.frombuffer(data, kind, size // np.dtype(kind).itemsize, at).reshape(shape)
        at += size
    for _ in range(number("I")):
        alias, target = string(), string()
        tensors[alias] = tensors[target]
    return tensors


def layers(tensors, side):
    names = [name for name in tensors if name.startswith(f"{side}/layer_")]
    return 1 + max(int(name.split("/")[1][6:]) for name in names if name.split("/")[1][6:].isdigit())
