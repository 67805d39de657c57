"""Factor, solve and decompose matrices as torch.linalg does; batches come in the leading axes."""

# ruff: noqa: A002, N803

from __future__ import annotations

import mindspore as ms
from mindspore import Tensor, ops

from .algebra import solve_triangular

EPSILON = {"float32": 1.1920928955078125e-07, "float64": 2.220446049250313e-16}


def _transposed(input: Tensor) -> Tensor:
    return ops.swapaxes(input, -1, -2)


def _epsilon(input: Tensor) -> float:
    return EPSILON["float64"] if input.dtype == ms.float64 else EPSILON["float32"]


def svd(
    A: Tensor, full_matrices: bool = True, transposed: bool = True
) -> tuple[Tensor, Tensor, Tensor]:
    """Return the left singular vectors, the singular values, and the right vectors as rows.

    Without `transposed` the right ones are columns. A pair of vectors may have the other sign.
    """
    values, left, right = ops.svd(A, full_matrices, True)
    return left, values, _transposed(right) if transposed else right


def svdvals(A: Tensor) -> Tensor:
    """Return the singular values, the largest first."""
    return ops.svd(A, False, True)[0]


def _symmetric(A: Tensor, UPLO: str) -> Tensor:
    """Return the symmetric matrix that one triangle says."""
    if UPLO == "L" or UPLO == "l":
        return ops.tril(A) + _transposed(ops.tril(A, -1))
    return ops.triu(A) + _transposed(ops.triu(A, 1))


def eigh(A: Tensor, UPLO: str = "L") -> tuple[Tensor, Tensor]:
    """Return the eigenvalues of symmetric matrices in ascending order, and their vectors.

    They are singular ones of the matrix, moved up until no eigenvalue is negative. A vector may
    have the other sign than in torch.
    """
    wide = _symmetric(A, UPLO).astype(ms.float64)
    shift = ops.amax(ops.sum(ops.abs(wide), -1), -1).expand_dims(-1)
    moved = wide + shift.expand_dims(-1) * ops.eye(A.shape[-1], dtype=ms.float64)
    values, vectors, _ = ops.svd(moved, False, True)
    ascending = ops.flip(values, (values.ndim - 1,)) - shift
    return ascending.astype(A.dtype), ops.flip(vectors, (vectors.ndim - 1,)).astype(A.dtype)


def pinv(
    A: Tensor, atol: float | None = None, rtol: float | None = None, hermitian: bool = False
) -> Tensor:
    """Return the pseudo-inverse; singular values below the tolerance count as 0."""
    wide = _symmetric(A, "L").astype(ms.float64) if hermitian else A.astype(ms.float64)
    values, left, right = ops.svd(wide, False, True)
    kept = values > _tolerance(A, values, atol, rtol)
    inverted = ops.where(kept, 1.0 / ops.where(kept, values, 1.0), ops.zeros_like(values))
    product = ops.matmul(right * inverted.expand_dims(-2), _transposed(left))
    return product.astype(A.dtype)


def _tolerance(A: Tensor, values: Tensor, atol: float | None, rtol: float | None) -> Tensor:
    """Return the singular value of each matrix below which others count as 0."""
    absolute = 0.0 if atol is None else atol
    relative = max(A.shape[-1], A.shape[-2]) * _epsilon(A) if absolute == 0 else 0.0
    relative = relative if rtol is None else rtol
    return ops.clamp(ops.amax(values, -1, True) * relative, min=absolute)


def matrix_rank(
    A: Tensor, atol: float | None = None, rtol: float | None = None, hermitian: bool = False
) -> Tensor:
    """Return how many singular values of each matrix are above the tolerance, as int64."""
    wide = _symmetric(A, "L").astype(ms.float64) if hermitian else A.astype(ms.float64)
    values = svdvals(wide)
    return ops.sum((values > _tolerance(A, values, atol, rtol)).astype(ms.int64), -1)


def lstsq(A: Tensor, B: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Return the solution of least squares, an empty tensor, the rank, and an empty tensor.

    The empty ones are the errors and the singular values, which torch's usual driver leaves out.
    """
    empty = ops.zeros((0,), dtype=A.dtype)
    return ops.matmul(pinv(A), B), empty, matrix_rank(A), empty


def solve(A: Tensor, B: Tensor, left: bool = True) -> Tensor:
    """Solve `A @ X = B`, or `X @ A = B` without `left`; B may be a vector, or a batch of them."""
    vector = B.ndim == 1 or (B.ndim == A.ndim - 1 and B.shape == A.shape[:-1])
    known = B.expand_dims(-1) if vector else B
    matrix = A
    if not left and not vector:
        matrix, known = _transposed(A), _transposed(known)
    if matrix.ndim < known.ndim:
        matrix = ops.broadcast_to(matrix, (*known.shape[:-2], *matrix.shape[-2:]))
    if known.ndim < matrix.ndim:
        known = ops.broadcast_to(known, (*matrix.shape[:-2], *known.shape[-2:]))
    solved = ops.matrix_solve(matrix, known)
    if vector:
        return ops.squeeze(solved, -1)
    return solved if left else _transposed(solved)


def no_info(A: Tensor) -> Tensor:
    """Return the int32 zeros by which torch says that a factorization succeeded."""
    return ops.zeros(A.shape[:-2], dtype=ms.int32)


def lu_factor(A: Tensor) -> tuple[Tensor, Tensor]:
    """Return both factors of a matrix with exchanged rows in one matrix, and int32 pivots.

    The graph grows with the smaller side of the matrix.
    """
    rows, columns = A.shape[-2], A.shape[-1]
    place = ops.arange(0, rows)
    result = A
    pivots = []
    for step in range(min(rows, columns)):
        size = ops.abs(result[..., :, step])
        size = ops.where(place >= step, size, -ops.ones_like(size))
        pivot = ops.argmax(size, -1).expand_dims(-1)
        pivots.append(pivot.astype(ms.int32) + 1)
        # Which row comes to each place: the pivot and the row of this step are exchanged.
        origin = ops.where(place == step, pivot, ops.where(place == pivot, step, place))
        order = origin.expand_dims(-1) == place
        result = ops.matmul(order.astype(A.dtype), result)
        head = result[..., step : step + 1, :]
        factor = result[..., :, step : step + 1] / head[..., :, step : step + 1]
        below = (place > step).expand_dims(-1)
        factor = ops.where(below, factor, ops.zeros_like(factor))
        after = ops.arange(0, columns) > step
        reduced = result - factor * ops.where(after, head, ops.zeros_like(head))
        here = ops.logical_and(below, ops.arange(0, columns) == step)
        result = ops.where(here, factor, reduced)
    return result, ops.cat(tuple(pivots), -1)


def lu(A: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Return the permutation, the lower and the upper factor of matrices."""
    return lu_unpack(*lu_factor(A))


def lu_unpack(LU_data: Tensor, LU_pivots: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Return the permutation, the lower and the upper factor of what `lu_factor` gives."""
    rows, columns = LU_data.shape[-2], LU_data.shape[-1]
    short = min(rows, columns)
    lower = ops.tril(LU_data[..., :, :short], -1) + ops.eye(rows, short, LU_data.dtype)
    upper = ops.triu(LU_data[..., :short, :])
    place = ops.arange(0, rows)
    order = ops.eye(rows, rows, LU_data.dtype)
    for step in range(short):
        pivot = (LU_pivots[..., step : step + 1] - 1).astype(place.dtype)
        origin = ops.where(place == step, pivot, ops.where(place == pivot, step, place))
        exchange = (origin.expand_dims(-1) == place).astype(LU_data.dtype)
        order = ops.matmul(exchange, order)
    return _transposed(order), lower, upper


def lu_solve(LU: Tensor, pivots: Tensor, B: Tensor, left: bool = True) -> Tensor:
    """Solve `A @ X = B`, or `X @ A = B` without `left`, by the factors of A."""
    order, lower, upper = lu_unpack(LU, pivots)
    if left:
        half = solve_triangular(lower, ops.matmul(_transposed(order), B), False, True, True)
        return solve_triangular(upper, half, True)
    half = solve_triangular(upper, B, True, False)
    return ops.matmul(solve_triangular(lower, half, False, False, True), _transposed(order))


def cholesky_inverse(input: Tensor, upper: bool = False) -> Tensor:
    """Return the inverse of the matrix whose Cholesky factor is given."""
    factor = _transposed(ops.triu(input)) if upper else ops.tril(input)
    unit = solve_triangular(factor, ops.eye(input.shape[-1], dtype=input.dtype), False)
    return ops.matmul(_transposed(unit), unit)


def matrix_exp(A: Tensor) -> Tensor:
    """Return the exponential of matrices: that of a 1024th by its series, squared ten times."""
    wide = A.astype(ms.float64) / 1024.0
    result = term = ops.broadcast_to(ops.eye(A.shape[-1], dtype=ms.float64), A.shape)
    for degree in range(1, 13):
        term = ops.matmul(term, wide) / float(degree)
        result = result + term
    for _ in range(10):
        result = ops.matmul(result, result)
    return result.astype(A.dtype)


def tensorinv(A: Tensor, ind: int = 2) -> Tensor:
    """Return the inverse with respect to `tensordot` over the first `ind` axes."""
    first, last = A.shape[:ind], A.shape[ind:]
    size = 1
    for length in first:
        size = size * length
    return ops.reshape(ops.inverse(ops.reshape(A, (size, size))), (*last, *first))


def tensorsolve(A: Tensor, B: Tensor) -> Tensor:
    """Solve `tensordot(A, X, X.ndim) = B`."""
    size = 1
    for length in B.shape:
        size = size * length
    solved = solve(ops.reshape(A, (size, size)), ops.reshape(B, (size,)))
    return ops.reshape(solved, A.shape[B.ndim :])


def triangular_solve(
    b: Tensor, A: Tensor, upper: bool = True, unitriangular: bool = False
) -> tuple[Tensor, Tensor]:
    """Return the solution of `A @ X = b` for a triangular A, and A; both broadcast."""
    solution = solve_triangular(A, b, upper, True, unitriangular)
    return solution, A + ops.zeros_like(solution[..., :1, :1])
