import torch
import torch.nn as nn

def fill(module):
    with torch.no_grad():
        for p in module.parameters():
            p.copy_(torch.linspace(-0.4, 0.5, p.numel()).view(p.shape))


policy = nn.Sequential(nn.Linear(2, 4), nn.Tanh(), nn.Linear(4, 3))
fill(policy)
opt = torch.optim.Adam(policy.parameters(), lr=0.02)
states = torch.sin(torch.arange(8.0)).view(4, 2)
actions = [0, 2, 1, 1]
for episode in range(3):
    log_probs = []
    rewards = []
    for t, a in enumerate(actions):
        logits = policy(states[t])
        log_prob = torch.log_softmax(logits, dim=-1)[a]
        log_probs.append(log_prob)
        rewards.append(1.0 if a == t % 3 else -0.5)
    returns = []
    R = 0.0
    for r in reversed(rewards):
        R = r + 0.9 * R
        returns.insert(0, R)
    returns = torch.tensor(returns)
    loss = -(torch.stack(log_probs) * returns).sum()
    opt.zero_grad()
    loss.backward()
    opt.step()
weights = [p.detach() for p in policy.parameters()]
