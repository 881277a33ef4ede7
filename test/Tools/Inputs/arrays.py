"""arrays.py OUT.npz NAME=DTYPE:SHAPE:VALUE ...: constant arrays, without NumPy.

DTYPE is NumPy's ("<f4"), SHAPE like 3x5 (empty: rank 0), VALUE a number.
"""

import struct
import sys
import zipfile

CODES = {"<f4": "f", "<f8": "d", "<i8": "q", "<i4": "i", "|i1": "b", "|b1": "B"}

with zipfile.ZipFile(sys.argv[1], "w") as out:
    for argument in sys.argv[2:]:
        name, rest = argument.split("=")
        dtype, shape, value = rest.split(":")
        dims = [int(d) for d in shape.split("x") if d]
        count = 1
        for d in dims:
            count *= d
        number = float(value) if dtype.startswith("<f") else int(value)
        data = struct.pack(f"<{count}{CODES[dtype]}", *[number] * count)
        tuple_text = "(" + "".join(f"{d}, " for d in dims) + ")"
        header = f"{{'descr': '{dtype}', 'fortran_order': False, 'shape': {tuple_text}, }}"
        header += " " * ((63 - (10 + len(header)) % 64) % 64) + "\n"
        npy = b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode()
        out.writestr(name + ".npy", npy + data)
