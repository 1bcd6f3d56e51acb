"""Writes houses.csv: made-up houses with missing values, the same ones every time."""
import math
import random

CITIES = {"Aarau": 0.9, "Bern": 1.2, "Chur": 0.8, "Thun": 1.0, "Zug": 1.7}


def field(value, missing):
    return "" if random.random() < missing else value


random.seed(11)
with open("houses.csv", "w", encoding="utf-8") as file:
    file.write("rooms,area,distance,built,city,garden,price,kind\n")
    for _ in range(800):
        kind = random.choices(["flat", "house", "villa"], [5, 4, 1])[0]
        rooms = {"flat": 2, "house": 4, "villa": 7}[kind] + random.randint(0, 3)
        area = rooms * random.uniform(18, 30) * {"flat": 1, "house": 1.2, "villa": 1.5}[kind]
        distance = random.expovariate(0.3)
        year = random.randint(1930, 2023)
        city = random.choices(list(CITIES), [2, 4, 1, 2, 2])[0]
        garden = random.random() < {"flat": 0.1, "house": 0.8, "villa": 1}[kind]
        price = CITIES[city] * (80 + 4.2 * area + 0.8 * (year - 1930) + (60 if garden else 0)) * math.exp(-0.03 * distance)
        price *= random.gauss(1, 0.04) / 1000  # millions
        built = f"{year}-{random.randint(1, 12):02d}-{random.randint(1, 28):02d}"
        file.write(f"{rooms},{field(f'{area:.1f}', 0.05)},{field(f'{distance:.2f}', 0.03)},{field(built, 0.04)},"
                   f"{field(city, 0.03)},{field('yes' if garden else 'no', 0.1)},{price:.4f},{kind}\n")
