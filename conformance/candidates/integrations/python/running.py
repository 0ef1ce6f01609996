"""How the sample programs run and end: SIGTERM, and HTTP on the loopback address."""

import os
import signal
import socket
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from starlette.types import ASGIApp


def quit_on_sigterm() -> None:
    """End with exit code 0 on SIGTERM.

    Over stdio the SDK's reader is a thread blocked in a read, which nothing can cancel: an orderly
    shutdown would wait for the next line. All output is flushed as it is written, so nothing is
    lost. Under HTTP, uvicorn shuts down in order first, and then raises the signal again.
    """
    signal.signal(signal.SIGTERM, lambda *_: os._exit(0))


def ignore_cancellations() -> None:
    """Let a call run to its end although its caller has given it up.

    As of 1.30 a cancellation that comes while an answer is on its way ends the SDK's server with
    an assertion, and every hook with it. A host cancels whatever misses its budget; hooks are
    quick, so there is nothing to gain by stopping one.
    """
    from mcp.shared.session import RequestResponder

    async def ignore(_: object) -> None:
        return None

    setattr(RequestResponder, "cancel", ignore)  # noqa: B010


def serve(app: "ASGIApp", port: int, host: str, path: str, log_level: str = "warning") -> None:
    """Serve on 127.0.0.1 until SIGTERM; port 0 takes any free one."""
    import uvicorn

    listener = socket.create_server(("127.0.0.1", port))
    # Connections inherit it; asyncio sets it itself only on sockets that it has made. Without it
    # an answer in two pieces takes 40 ms.
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    address = f"http://{host}:{listener.getsockname()[1]}{path}"

    class Announcing(uvicorn.Server):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets=sockets)
            print(f"listening on {address}", file=sys.stderr, flush=True)

    config = uvicorn.Config(
        app,
        log_level=log_level,
        access_log=False,
        # Open streams must not hold up the end.
        timeout_graceful_shutdown=1,
    )
    Announcing(config).run(sockets=[listener])
