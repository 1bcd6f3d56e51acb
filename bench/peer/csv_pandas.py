"""Driven by csv.py: the same with pandas.read_csv, a TensorDataset and torch's DataLoader."""
import json
import sys
import time

import pandas
import torch

path, workers = sys.argv[1], int(sys.argv[2])
began = time.perf_counter()
table = pandas.read_csv(path)
features = torch.from_numpy(table.drop(columns="label").to_numpy("float32"))
label = torch.from_numpy(table["label"].to_numpy("float32"))
loader = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(features, label), batch_size=256, shuffle=True,
                                     num_workers=workers)
batches = iter(loader)
total = next(batches)[0][:, 0].nansum().item()
first = time.perf_counter() - began
del batches
began = time.perf_counter()
rows = 0
for batch, _ in loader:
    rows += len(batch)
    total += batch[:, 0].nansum().item()
print(json.dumps({"first": first, "rate": rows / (time.perf_counter() - began), "rows": rows, "sum": total}))
