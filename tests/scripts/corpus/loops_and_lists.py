import torch

rows = []
for i in range(3):
    rows.append(torch.full((2,), float(i)))
stacked = torch.stack(rows)
total = sum(row.sum() for row in rows)
lengths = [len(row) for row in rows]
named = {f"row{i}": row for i, row in enumerate(rows)}
for row in stacked:
    last = row
pairs = [(a, b) for a, b in zip(rows, rows[1:])]
