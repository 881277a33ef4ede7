"""Writes an npz with a 5x2 float32 table and the int64 indices given: FILE INDEX..."""
import struct
import sys
import zipfile


def npy(descr, shape, data):
    header = repr({"descr": descr, "fortran_order": False, "shape": shape})
    header += " " * (63 - (10 + len(header)) % 64) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + data


indices = [int(word) for word in sys.argv[2:]]
with zipfile.ZipFile(sys.argv[1], "w") as file:
    table = struct.pack("<10f", *range(10))
    file.writestr("arg0.npy", npy("<f4", (5, 2), table))
    packed = struct.pack(f"<{len(indices)}q", *indices)
    file.writestr("arg1.npy", npy("<i8", (len(indices),), packed))
