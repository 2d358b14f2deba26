"""Peak memory of this process. Imports the standard library only, so that measuring adds nothing."""

import sys
from pathlib import Path


def peak_megabytes() -> float | None:
    """The largest resident size so far, in MB of 2**20 bytes; None where the system does not tell."""
    status = Path("/proc/self/status")
    if status.exists():
        # Not ru_maxrss: on Linux a new process inherits its parent's.
        line = next(line for line in status.read_text().splitlines() if line.startswith("VmHWM:"))
        return int(line.split()[1]) / 1024
    if sys.platform == "darwin":
        import resource

        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    return None
