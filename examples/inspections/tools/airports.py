"""Look up the airports around a point in airports.sqlite.

Arguments: latitude, longitude (degrees), radius_km (above 0, at most 500), and optionally
limit (1 to 100, 20 if not given).

Result: {"total": how many airports lie within the radius, "airports": the first `limit` of them},
nearest first, equal distances by code. A distance is measured along the great circle and rounded
to 0.1 km; the radius is compared with the distance before rounding.
"""

import sys

sys.dont_write_bytecode = True

import math
import sqlite3
from pathlib import Path

from arguments import answer, number, read_arguments, refuse, whole

AIRPORTS = Path(__file__).resolve().parents[2] / "data" / "airports.sqlite"
EARTH_RADIUS_KM = 6371.0088

WITHIN = """
    SELECT iata, name, city, state, country, distance_km
    FROM (
        SELECT *, great_circle_km(:latitude, :longitude, latitude, longitude) AS distance_km
        FROM airport
        WHERE latitude BETWEEN :south AND :north
    )
    WHERE distance_km <= :radius_km
    ORDER BY distance_km, iata
"""


def great_circle_km(latitude_1, longitude_1, latitude_2, longitude_2):
    """The haversine formula on a sphere of the Earth's mean radius."""
    phi_1, phi_2 = math.radians(latitude_1), math.radians(latitude_2)
    half_dphi = (phi_2 - phi_1) / 2
    half_dlambda = math.radians(longitude_2 - longitude_1) / 2
    a = math.sin(half_dphi) ** 2 + math.cos(phi_1) * math.cos(phi_2) * math.sin(half_dlambda) ** 2
    return 2 * EARTH_RADIUS_KM * math.asin(math.sqrt(min(1.0, a)))


def airports_within(latitude, longitude, radius_km):
    """Every value is bound. The band of latitudes uses the index; the distance decides."""
    band = math.degrees(radius_km / EARTH_RADIUS_KM) + 0.01
    try:
        db = sqlite3.connect(f"{AIRPORTS.as_uri()}?mode=ro&immutable=1", uri=True)
        db.create_function("great_circle_km", 4, great_circle_km)
        rows = db.execute(
            WITHIN,
            {
                "latitude": latitude,
                "longitude": longitude,
                "radius_km": radius_km,
                "south": latitude - band,
                "north": latitude + band,
            },
        ).fetchall()
        db.close()
        return rows
    except sqlite3.Error as error:
        refuse(f"cannot read {AIRPORTS.name}: {error}", status=1)


def main():
    arguments = read_arguments(["latitude", "longitude", "radius_km", "limit"])
    for name in ("latitude", "longitude", "radius_km"):
        if name not in arguments:
            refuse(f"{name} is missing")
    latitude = number(arguments, "latitude", -90, 90)
    longitude = number(arguments, "longitude", -180, 180)
    radius_km = number(arguments, "radius_km", 0, 500)
    limit = whole(arguments, "limit", 1, 100, default=20)
    if radius_km == 0:
        refuse("radius_km must be above 0")

    rows = airports_within(latitude, longitude, radius_km)
    keys = ("iata", "name", "city", "state", "country", "distance_km")
    airports = [dict(zip(keys, row)) for row in rows[:limit]]
    for airport in airports:
        airport["distance_km"] = round(airport["distance_km"], 1)
    answer({"total": len(rows), "airports": airports})


if __name__ == "__main__":
    main()
