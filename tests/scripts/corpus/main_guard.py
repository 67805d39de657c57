import torch


def compute(x, y=2):
    return (x * y).sum(dim=0)


def main():
    x = torch.ones(3, 2)
    return compute(x, y=3)


result = None
if __name__ == "__main__":
    result = main()
    print(result.shape)
