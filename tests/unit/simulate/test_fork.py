# SPDX-License-Identifier: Apache-2.0
"""A model computes in its caller's thread: a process that forks may free it on both sides."""

import os
import signal

from tests.rtl.small_cores import SMALL_RING, prepare_pipeline


def test_a_forked_child_frees_a_model_too() -> None:
    simulator = prepare_pipeline(SMALL_RING).simulator()
    child = os.fork()
    if not child:
        signal.alarm(10)  # it would wait for a thread that there is not
        simulator.close()
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
    simulator.close()
