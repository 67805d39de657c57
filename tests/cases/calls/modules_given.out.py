"""A parameter that is asked for its parameters, or called and put into a mode, is a module."""

import mindspore as ms


def train(model, images, labels):
    optimizer = ms.experimental.optim.SGD(model.trainable_params(), lr=0.1)
    model.set_train()
    model.set_train(False)
    return optimizer


def evaluate(network, images):
    network.set_train(False)
    return network(images)


def run(trainer):
    # no module that porter knows of: another library's object has this method, too
    trainer.train()
    return trainer.state
