"""Programs for proofs: those of Tests/Corpus, which have no bugs with -D CLEAN, and the catalog of scenarios."""
import pathlib, re, subprocess

FOLDERS = ["Given", "Guesses", "Holds", "Leaks", "NearMisses", "Noise", "Races", "Reachable", "UseAfterFree"]


def chosen(all, count):
    """Returns up to `count` elements, evenly distributed."""
    count = min(count, len(all))
    return [all[index * len(all) // count] for index in range(count)]


def sources(count):
    """Returns the paths of up to `count` programs."""
    folder = pathlib.Path(__file__).resolve().parent.parent / "Tests/Corpus"
    return chosen([source for name in FOLDERS for source in sorted((folder / name).glob("*.swift"))], count)


def variants(lifeline, count):
    """Returns up to `count` pairs of a scenario and a variant, which `lifeline-scenarios --play` takes."""
    listed = subprocess.run([lifeline, "run", "--list"], capture_output=True, text=True, check=True).stdout
    all, scenario = [], ""
    for line in listed.splitlines():
        if match := re.match(r"(\w+): ", line):
            scenario = match[1]
        elif match := re.match(r"    ([\w-]+)  ", line):
            all.append((scenario, match[1]))
    return chosen(all, count)
