"""The committed bundle is what its sources build, and nothing in its folder names a machine or a registry."""

import re
from hashlib import sha256

from support.second_verifier import BUNDLE

FOLDER = BUNDLE.parents[1]


def test_the_bundle_was_built_from_the_sources_beside_it() -> None:
    names = sorted(str(path.relative_to(FOLDER)) for path in (FOLDER / "src").rglob("*.ts"))
    hashed = sha256()
    for name in [*names, "package-lock.json"]:
        hashed.update(name.encode() + b"\n" + (FOLDER / name).read_bytes())
    first_line = BUNDLE.read_text().splitlines()[0]
    assert hashed.hexdigest() in first_line, "run `npm run build` in the verifier's folder"


def test_the_core_knows_nothing_of_node() -> None:
    for path in (FOLDER / "src").glob("*.ts"):
        assert not re.search(r"node:|process\.|Buffer|require\(", path.read_text()), path.name


def test_the_lock_file_pins_every_package_and_names_no_registry() -> None:
    lock = (FOLDER / "package-lock.json").read_text()
    assert '"resolved"' not in lock
    assert lock.count('"integrity"') >= 4
