#!/usr/bin/env python3
"""Small files to start fuzzing from: python fuzz/make_seeds.py FOLDER makes a folder per fuzzer."""

import gzip
import io
import sys
from pathlib import Path

import numpy as np
import scipy.io

OPTIONS = [0, 1, 8, 16, 24, 64, 128]
LONG = (
    'trial,channel,time,value,choice\n1,a,0,1.5,left\n1,b,0,,left\n2,a,2016-01-01,"3","ri""ght"\n'
)
TABLES = [
    LONG,
    LONG.replace(",", ";"),
    LONG.replace(",", "\t").replace("\n", "\r\n"),
    "\ufeff" + LONG,
    "trial,time,n1,n2,side\n1,0.5,1,2,l\n1,0.25,3,NA,l\n",
    "trial,unit,t1,t2\n1,a,1,2\n2,a,3,\n",
    "platform,language,2016-01-01,2016-01-02\nd,de,1,2\nm,de,3,4\n",
    LONG + "\x1etrial,dose\n1,3\n2,4\n",
    LONG + "\x1edose\n3\n4\n",
]
VIEWS = [
    "article,project,access,agent,2016-01-01,2016-01-02\na,en,desktop,all-agents,1,2\n"
    "a,en,mobile-web,all-agents,3,\na,en,all-access,all-agents,5,6\n",
    "Page,2016-01-01,2016-01-02\nPrince_en.wikipedia.org_desktop_all-agents,1,2\n"
    "Prince_de.wikipedia.org_desktop_spider,3,4\n",
    "language,family,platform,date,views\nen,wikipedia,desktop,20160101,5\n"
    "en,wikipedia,mobile,2016010100,7\n",
    '{"items": [{"project": "en.wikipedia", "article": "a", "access": "desktop", "agent": "user",'
    ' "timestamp": "2016010100", "views": 5}]}'
    ' [{"project": "de", "timestamp": "20160101", "views": 1e3}]',
]
VOTES = [
    "year,state_po,candidate,party_detailed,candidatevotes\n1976,AL,X,DEMOCRAT,5\n"
    "1976,AL,Y,REPUBLICAN,3\n1980,AK,BLANK VOTE,,7\n",
    "year,state_po,district,stage,runoff,special,candidate,party,candidatevotes\n"
    "1976,AL,1,GEN,FALSE,FALSE,X,DEMOCRAT,5\n"
    "1978,AL,1,PRE,FALSE,FALSE,X,LIBERTARIAN,-1\n"
    "2020,MN,2,GEN,TRUE,TRUE,Y,DEMOCRATIC-NPL,1\n",
]


def npz(save, **arrays):
    file = io.BytesIO()
    save(file, **arrays)
    return file.getvalue()


def npy(array):
    file = io.BytesIO()
    np.save(file, array)
    return file.getvalue()


def mat(packed, **variables):
    file = io.BytesIO()
    scipy.io.savemat(file, variables, do_compression=packed)
    return file.getvalue()[128:]


def main(folder):
    cube = np.arange(12.0).reshape(2, 3, 2)
    cells = np.empty(2, dtype=object)
    cells[:] = [np.ones((2, 3)), np.zeros((2, 1))]
    structs = np.array([(cells[0], "l"), (cells[1], "r")], dtype=[("x", object), ("side", object)])
    seeds = {
        "fuzz_table": [text.encode() for text in TABLES] + [gzip.compress(LONG.encode(), mtime=0)],
        "fuzz_npy": [
            npy(cube),
            npy(np.asfortranarray(cube.astype(">f4"))),
            npy(np.array(["left", "right"])),
            npz(np.savez, v=cube, choice=np.array(["l", "r"]), t=np.arange(2)),
            npz(np.savez_compressed, v=cube, dose=np.array([1, 2])),
            npz(np.savez, arr_0=np.ones((2, 3)), arr_1=np.ones((2, 1))),
        ],
        "fuzz_mat": [
            b"\0" + mat(packed, **variables)
            for packed in (False, True)
            for variables in (
                {"v": cube, "choice": np.array(["l", "r"], dtype=object), "dose": np.array([1, 2])},
                {"x": cells, "side": np.array(["west", "east"])},
                {"trial": structs},
                {"s": {"v": cube, "t": np.arange(2)}},
            )
        ],
        "fuzz_hdf5": [
            bytes([0, 0, 4, 0, 0, 3, 0, 2, 3, 4, *range(24), 4, 2, 8, 1, 0, 2]),
            bytes([0, 0, 4, 2, 8, 1, 2, 2, 1, 1, 0, 0, 1, 0, 5, 1, 1, 8]),
            bytes([1, 0, 4, 0, 0, 2, 0, 2, 3, *range(6), 3, 0, 1, 0, 4, 9, 7, 1, 0, 2, 0, 0]),
        ],
        "fuzz_nwb": [
            bytes([1, 0]),
            bytes([0, 1, 3, 2, 1, 0, 2, 0, 2, 0, 2, 0, 0, 9, 1, 3, 3, 3, 1, 4, 1, 0, 2, 0, 1, 2]),
            bytes([1, 1, 3, 4, 1, 4, 1, 0, 2, 0, 0, 1, 3, 20, 1, 8, 1, 0, 2, 0, 0, 0]),
            bytes(
                [0, 0, 2, 24, 1, 1, 0, 23, 3, 13, 1, 0, 1, 0, 1, 0, 2, 3, 14, 1, 0, 1, 0, 1, 0, 3]
            ),
            bytes([1, 0, 0, 16, 1, 3, 17, 1, 0, 0, 0, 1, 1, 17, 0, 1, 2]),
        ],
    }
    for name, files in seeds.items():
        seeds[name] = [bytes([option]) + file for file in files for option in OPTIONS]
    seeds["fuzz_recipes"] = [b"\0" + text.encode() for text in VIEWS] + [
        b"\1" + text.encode() for text in VOTES
    ]
    # Nothing changed; option values gone or of another shape; counts changed in one place or both.
    seeds["fuzz_model"] = [
        b"",
        bytes([0, 0, 6]),
        bytes([2, 0, 6, 1, 2, 2, 0, 1, 2, 3, 4]),
        bytes([7, 0, 0, 0, 1, 3]),
        bytes([6, 0, 0, 0, 1, 3]),
        bytes([6, 1, 0, 0, 2, 15]),
        bytes([5, 0, 0, 0, 30, 20]),
    ]
    for name, files in seeds.items():
        (Path(folder) / name).mkdir(parents=True, exist_ok=True)
        for i, seed in enumerate(files):
            (Path(folder) / name / f"seed-{i}").write_bytes(seed)


if __name__ == "__main__":
    main(sys.argv[1])
