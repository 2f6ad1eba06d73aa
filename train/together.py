"""Processes that learn together: started as one, agreeing on numbers, averaging their gradients."""

import os
import socket
from collections.abc import Callable, Iterable
from typing import Any

import torch
import torch.distributed as dist
import torch.multiprocessing as mp

Work = Callable[..., None]
"""Called with the process's rank, how many processes there are, and the rest."""


def cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def run_together(processes: int, work: Work, mine: tuple[Any, ...], theirs: tuple[Any, ...]) -> None:
    """Do `work` in so many processes, the first of which is this one; it is given `mine`, the others `theirs`."""
    if processes == 1:
        _join(0, 1, "", work, mine)
        return
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"tcp://127.0.0.1:{free.getsockname()[1]}"
    context = mp.get_context("spawn")
    others = [
        context.Process(target=_join, args=(rank, processes, address, work, theirs), daemon=True)
        for rank in range(1, processes)
    ]
    for process in others:
        process.start()
    try:
        _join(0, processes, address, work, mine)
    finally:
        for process in others:
            process.join(timeout=20)
            process.terminate()


def _join(rank: int, processes: int, address: str, work: Work, given: tuple[Any, ...]) -> None:
    """What each process does."""
    torch.set_num_threads(1)
    if processes > 1:
        dist.init_process_group("gloo", init_method=address, rank=rank, world_size=processes)
    try:
        work(rank, processes, *given)
    finally:
        if processes > 1:
            dist.destroy_process_group()


def wait() -> None:
    """Until all processes are here."""
    if dist.is_initialized():
        dist.barrier()


def spread(parameters: Iterable[torch.Tensor]) -> None:
    """Give all processes the numbers of the first."""
    if dist.is_initialized():
        for parameter in parameters:
            dist.broadcast(parameter.data, 0)


def fewest(count: int) -> int:
    """The same number in all processes: the fewest."""
    if not dist.is_initialized():
        return count
    shared = torch.tensor([count])
    dist.all_reduce(shared, dist.ReduceOp.MIN)
    return int(shared)


def average_gradients(parameters: Iterable[torch.nn.Parameter]) -> None:
    """Give all processes the mean of their gradients; a parameter that none was worked out for has one of nought."""
    if not dist.is_initialized():
        return
    gradients = []
    for parameter in parameters:
        if parameter.grad is None:
            parameter.grad = torch.zeros_like(parameter)
        gradients.append(parameter.grad)
    flat = torch.cat([gradient.flatten() for gradient in gradients])
    dist.all_reduce(flat)
    flat /= dist.get_world_size()
    start = 0
    for gradient in gradients:
        gradient.copy_(flat[start : start + gradient.numel()].view_as(gradient))
        start += gradient.numel()
