"""A parameter that is asked for its parameters, or called and put into a mode, is a module."""

import torch


def train(model, images, labels):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    model.train()
    model.train(False)
    return optimizer


def evaluate(network, images):
    network.eval()
    return network(images)


def run(trainer):
    # no module that porter knows of: another library's object has this method, too
    trainer.train()
    return trainer.state
