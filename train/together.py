"""Processes that learn together: started as one, agreeing on numbers, averaging their gradients."""

import os
import signal
import socket
from collections.abc import Callable, Iterable
from datetime import timedelta
from multiprocessing.connection import wait as first_to_end
from typing import Any

import torch
import torch.distributed as dist
import torch.multiprocessing as mp

from ettana_env.errors import EttanaError

PATIENCE = timedelta(days=1)
"""How long processes wait for one that has more to do, such as the first when it evaluates."""

Work = Callable[..., None]
"""Called with the process's rank, how many processes there are, and the rest."""


def cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def run_together(processes: int, work: Work, mine: tuple[Any, ...], theirs: tuple[Any, ...]) -> None:
    """Do `work` in so many processes, the first of which is this one; it is given `mine`, the others `theirs`.

    If this one is interrupted or fails, the others end too; if another one dies, that is an EttanaError here.
    """
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
    except RuntimeError as error:  # what torch says when a connection breaks
        first_to_end([process.sentinel for process in others], timeout=5)
        died = [process.exitcode for process in others if process.exitcode]
        if died:
            raise EttanaError(
                f"one of the {processes} processes ended before its time (exit code {died[0]}); "
                "the run can go on from its last checkpoint (--resume)"
            ) from error
        raise
    else:
        for process in others:
            process.join(timeout=20)
    finally:
        for process in others:
            process.terminate()


def _join(rank: int, processes: int, address: str, work: Work, given: tuple[Any, ...]) -> None:
    """What each process does."""
    torch.set_num_threads(1)
    if rank > 0:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # an interrupt is for the first, which ends the others
    if processes > 1:
        dist.init_process_group("gloo", init_method=address, rank=rank, world_size=processes, timeout=PATIENCE)
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
