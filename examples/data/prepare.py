"""Make earthquakes.json and airports.sqlite from the npm package vega-datasets 3.2.1.

    npm pack vega-datasets@3.2.1
    python3 examples/data/prepare.py vega-datasets-3.2.1.tgz

The script changes shape and never a value: a GeoJSON feature becomes one flat record, a CSV row
becomes one table row. What is missing, spelt in two ways or odd in the source stays so.
Python 3.8 or later, standard library only.
"""

import csv
import hashlib
import io
import json
import sqlite3
import sys
import tarfile
from pathlib import Path

HERE = Path(__file__).resolve().parent

SHA256 = {
    "package/data/earthquakes.json": "a42702a83ffbae679f95d1fa53e2cae0bae13b21e599a68cdd50a44fc52129f7",
    "package/data/airports.csv": "903c7169e6d558eefb95295fe2947ec8503135fbb855ea5c737cf4a90ea603ad",
}


def read_members(archive):
    """The two source files as bytes, refused if they are not the ones the examples were made from."""
    members = {}
    with tarfile.open(archive) as tar:
        for name, expected in SHA256.items():
            data = tar.extractfile(name).read()
            found = hashlib.sha256(data).hexdigest()
            if found != expected:
                sys.exit(f"{name}: SHA-256 is {found}, expected {expected}")
            members[name] = data
    return members


def flat_event(feature):
    """One record: the id, every property under its own name, and the coordinates.

    Only two constants are left out: the feature's "type" (always "Feature") and the geometry's
    "type" (always "Point"). The "type" of a record is the property of that name.
    """
    if set(feature) != {"type", "properties", "geometry", "id"} or feature["type"] != "Feature":
        sys.exit(f"unexpected feature: {feature.get('id')}")
    if set(feature["geometry"]) != {"type", "coordinates"} or feature["geometry"]["type"] != "Point":
        sys.exit(f"unexpected geometry: {feature['id']}")
    return {"id": feature["id"], **feature["properties"], "coordinates": feature["geometry"]["coordinates"]}


def write_earthquakes(source, target):
    """One event a line, so that a change shows as a changed line."""
    feed = json.loads(source)
    lines = ",\n".join(
        json.dumps(flat_event(feature), ensure_ascii=False, separators=(",", ":"))
        for feature in feed["features"]
    )
    title = json.dumps(feed["metadata"]["title"], ensure_ascii=False)
    target.write_text(f'{{"title":{title},"events":[\n{lines}\n]}}\n', encoding="utf-8")
    return len(feed["features"])


def write_airports(source, target):
    """The table as it is, in the order of the codes; the source's "NA" stays the text "NA"."""
    rows = [
        (
            row["iata"],
            row["name"],
            row["city"],
            row["state"],
            row["country"],
            float(row["latitude"]),
            float(row["longitude"]),
        )
        for row in csv.DictReader(io.StringIO(source.decode("utf-8"), newline=""))
    ]
    target.unlink(missing_ok=True)
    with sqlite3.connect(target) as db:
        db.execute(
            """CREATE TABLE airport (
                   iata TEXT PRIMARY KEY,
                   name TEXT NOT NULL,
                   city TEXT NOT NULL,
                   state TEXT NOT NULL,
                   country TEXT NOT NULL,
                   latitude REAL NOT NULL,
                   longitude REAL NOT NULL
               ) WITHOUT ROWID"""
        )
        db.executemany("INSERT INTO airport VALUES (?, ?, ?, ?, ?, ?, ?)", sorted(rows))
        db.execute("CREATE INDEX airport_latitude ON airport (latitude)")
    db.execute("VACUUM")
    db.close()
    return len(rows)


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: python3 prepare.py vega-datasets-3.2.1.tgz")
    members = read_members(sys.argv[1])
    events = write_earthquakes(members["package/data/earthquakes.json"], HERE / "earthquakes.json")
    airports = write_airports(members["package/data/airports.csv"], HERE / "airports.sqlite")
    print(f"earthquakes.json: {events} events; airports.sqlite: {airports} airports")


if __name__ == "__main__":
    main()
