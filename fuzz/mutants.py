"""Runs the program on thousands of damaged copies of each kind of its own files.

    python fuzz/mutants.py [COUNT] [kind ...]

COUNT copies (default 5000) per kind: trials, model, recipe, npy, mat, csv. Each has a few bytes
changed, a stretch filled, moved or taken away, or its end cut off. The program must end by itself,
within 20 seconds, in at most 2 GB, with an exit code of its own. What makes it crash or hang is
kept in build/mutants/. MILCCI_BIN is the program. Exits 1 if there was any.
"""

import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import scipy.io

ROOT = Path(__file__).resolve().parents[1]
PROGRAM = Path(os.environ.get("MILCCI_BIN", ROOT / "build/release/cli/milcci")).resolve()
SECONDS, BYTES = 20, 2 << 30
DIMS = ["--dims", "trial,channel,time"]
NUMBERS = [
    b"\0",
    b"\xff",
    b"\x7f",
    b"\x80",
    b"\1",
    b"0",
    b"9",
    b",",
    b"\n",
    b'"',
    b"\xff" * 4,
    b"\xff" * 8,
    b"\0" * 8,
    b"\xff\xff\xff\x7f",
    b"\0\0\0\x80",
    b"\xf0" + b"\0" * 7,
]


def run(*arguments, check=False):
    def limit():
        resource.setrlimit(resource.RLIMIT_AS, (BYTES, BYTES))

    return subprocess.run(
        [PROGRAM, *map(str, arguments)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        timeout=SECONDS,
        check=check,
        preexec_fn=limit,
    )


def make_seeds(folder):
    """For each kind its seeds, and the commands that are tried on a mutant in turn."""
    rng = np.random.default_rng(0)
    values = rng.random((6, 3, 10))
    run(
        "simulate",
        "--trials",
        8,
        "--channels",
        4,
        "--length",
        10,
        "--category",
        "choice=1:2",
        "--baseline",
        1,
        "-o",
        folder / "t.h5",
        check=True,
    )
    run("fit", folder / "t.h5", "--category", "choice=1", "--restarts", 1, "-o", folder / "m.h5")
    np.save(folder / "a.npy", values)
    scipy.io.savemat(
        folder / "a.mat",
        {"y": values, "choice": np.array(["l", "r"] * 3, dtype=object), "s": {"x": np.arange(6)}},
    )
    scipy.io.savemat(folder / "b.mat", {"y": values, "dose": np.arange(6)}, do_compression=True)
    rows = [
        f"{m},{n},{t},{values[m, n, t]:.3f},{'lr'[m % 2]}"
        for m in range(6)
        for n in range(3)
        for t in range(10)
    ]
    (folder / "long.csv").write_text("trial,channel,time,value,choice\n" + "\n".join(rows) + "\n")
    rows = [
        f"{m},{t},{'lr'[m % 2]}," + ",".join(f"{v:.3f}" for v in values[m, :, t])
        for m in range(6)
        for t in range(10)
    ]
    (folder / "wide.csv").write_text("trial,time,choice,a,b,c\n" + "\n".join(rows) + "\n")
    (folder / "views.csv").write_text(
        "Page,2016-01-01,2016-01-02,2016-01-03\n"
        + "".join(
            f"{page}_en.wikipedia.org_{platform}_all-agents,"
            f"{','.join(map(str, rng.integers(1, 99, 3)))}\n"
            for page in ("Cat", "Prince_(musician)")
            for platform in ("desktop", "mobile-web")
        )
    )
    views = [
        {
            "project": "en.wikipedia",
            "article": page,
            "granularity": "daily",
            "timestamp": f"201601{day:02}00",
            "access": access,
            "agent": "user",
            "views": int(rng.integers(1, 99)),
        }
        for page in ("Cat", "Dog")
        for day in (1, 2, 3)
        for access in ("desktop", "mobile-web")
    ]
    (folder / "views.json").write_text(json.dumps({"items": views}))
    info, out = [["info"]], folder / "out"
    export = ["export", "-o", out, "--force"]
    return {
        "trials": (["t.h5"], [["info"], ["check"], ["fit", "--category", "choice=1", "--dry-run"]]),
        "model": (["m.h5"], [["info", "--json"], ["show"], export]),
        "recipe": (
            ["views.csv", "views.json"],
            [["prepare", "--recipe", "pageviews", "-o", out / "p.h5", "--force"]],
        ),
        "npy": (["a.npy"], [["info", *DIMS]]),
        "mat": (["a.mat", "b.mat"], [["info", "--dataset", "y", *DIMS]]),
        "csv": (["long.csv", "wide.csv"], info),
    }


def mutate(seed, chance):
    data = bytearray(seed)
    for _ in range(chance.choice([1, 1, 1, 2, 4, 8])):
        if not data:
            break
        at, length = chance.randrange(len(data)), chance.choice([1, 2, 4, 8, 16, 64, 256])
        what = chance.randrange(7)
        if what == 0:
            data[at] ^= 1 << chance.randrange(8)
        elif what == 1:
            number = chance.choice(NUMBERS)
            data[at : at + len(number)] = number
        elif what == 2:
            data[at : at + length] = (
                bytes([chance.choice([0, 255, 48, chance.randrange(256)])]) * length
            )
        elif what == 3:
            data[at : at + length] = chance.randbytes(length)
        elif what == 4:
            other = chance.randrange(len(data))
            data[at : at + length] = data[other : other + length]
        elif what == 5:
            del data[at : at + length]
        else:
            del data[at:]
    return bytes(data)


def try_mutant(folder, kind, number, seeds, commands):
    """What went wrong, if anything."""
    chance = random.Random(f"{kind} {number}")
    path = folder / f"{kind}-{number}"
    data = mutate(chance.choice(seeds), chance)
    path.write_bytes(data)
    command = commands[number % len(commands)]
    try:
        process = run(command[0], path, *command[1:])
        bad = (
            ""
            if process.returncode in (0, 1, 2, 3, 4)
            else f"exit {process.returncode}: {process.stderr[-200:]}"
        )
    except subprocess.TimeoutExpired:
        bad = "hangs"
    path.unlink()
    if bad:
        kept = ROOT / "build/mutants"
        kept.mkdir(parents=True, exist_ok=True)
        (kept / path.name).write_bytes(data)
        return f"{kept / path.name}: milcci {command[0]}: {bad}"
    return ""


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 5000
    n_bad = 0
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(2) as pool:
        folder = Path(folder)
        (folder / "out").mkdir()
        made = make_seeds(folder)
        for names, commands in made.values():
            for name in names:
                run(commands[0][0], folder / name, *commands[0][1:], check=True)
        for kind in sys.argv[2:] or made:
            names, commands = made[kind]
            seeds, started = [(folder / name).read_bytes() for name in names], time.monotonic()
            found = list(
                filter(
                    None,
                    pool.map(
                        lambda i, k=kind, s=seeds, c=commands: try_mutant(folder, k, i, s, c),
                        range(count),
                    ),
                )
            )
            print(
                f"{kind}: {count} mutants, {len(found)} crashes or hangs, "
                f"{time.monotonic() - started:.0f} s",
                *found,
                sep="\n  ",
                flush=True,
            )
            n_bad += len(found)
    return 1 if n_bad else 0


if __name__ == "__main__":
    sys.exit(main())
