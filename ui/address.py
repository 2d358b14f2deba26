"""The address the page is served on: taken first of all, so that a port in use is one clear error at once."""

import errno
import socket

from rag.errors import PortInUse, UsageError

_NOT_ALLOWED = {errno.EACCES, errno.EPERM}


def bind(host: str, port: int) -> socket.socket:
    """A socket bound to the address, not yet listening. Ports go from 0, which takes a free one, to 65535.

    Raises:
        PortInUse: the port is taken, or not allowed to this user.
        UsageError: the host is no address of this machine.
    """
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        bound = socket.socket(family, kind, protocol)
    except (socket.gaierror, UnicodeError):
        raise UsageError(
            f"There is no host {host}.", "Use 127.0.0.1, or an address of this machine."
        ) from None
    try:
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind(address)
    except OSError as error:
        bound.close()
        if error.errno == errno.EADDRNOTAVAIL:
            raise UsageError(f"{host} is no address of this machine.", "Use 127.0.0.1.") from None
        problem = "not allowed to this user" if error.errno in _NOT_ALLOWED else "in use"
        raise PortInUse(f"Port {port} on {host} is {problem}.", "Choose another with --port.") from None
    return bound


def url(bound: socket.socket) -> str:
    """What to open in a browser on this machine."""
    host, port = bound.getsockname()[:2]
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104 - looked up, not bound
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
