"""Scripts over HTTP."""

from __future__ import annotations

import socket
import sys

import uvicorn
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from hookproof_candidate.about import about
from hookproof_candidate.limits import LONGEST_SCRIPT
from hookproof_candidate.reading import NoScript
from hookproof_candidate.run import run_text

_HOST = "127.0.0.1"


async def _about(_request: Request) -> Response:
    return JSONResponse(about())


async def _run(request: Request) -> Response:
    try:
        script = await _body(request)
        transcript = await run_in_threadpool(run_text, script)
    except NoScript as error:
        return JSONResponse({"error": str(error)}, status_code=400)
    except ClientDisconnect:
        return Response(status_code=400)
    return Response(transcript, media_type="application/json")


async def _body(request: Request) -> bytes:
    """Read no more of a body than a script may have."""
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > LONGEST_SCRIPT:
            raise NoScript("a script has at most 16 MiB")
    return bytes(body)


app = Starlette(
    routes=[
        Route("/hookproof/v1/about", _about),
        Route("/hookproof/v1/run", _run, methods=["POST"]),
    ]
)


def serve(port: int) -> None:
    """Serve on a port of this machine, or on any that is free."""
    with socket.socket() as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((_HOST, port))
        # Once it listens, connections queue: whoever waits for the line may begin at once.
        listener.listen(128)
        print(
            f"listening on http://{_HOST}:{listener.getsockname()[1]}", file=sys.stderr, flush=True
        )
        uvicorn.Server(uvicorn.Config(app, log_level="warning")).run(sockets=[listener])
