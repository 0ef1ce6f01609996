"""Puts a platform behind the script contract of hookproof.

It is handed whole scripts, each for a fresh platform with a clock that stands at 0, and says what it
observed of each step. What is here so far passes the smoke scripts; what is not says so.
"""

import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Json = dict[str, Any]

ABOUT: Json = {"name": "my platform", "version": "0.1.0"}


class NotYet(Exception):
    """Something that scripts ask for and that is not built yet."""


class Matrices:
    """A fresh platform of the Matrices dialect."""

    def __init__(self) -> None:
        self.profiles: dict[str, Json] = {}
        self.threads: dict[str, str] = {}

    def create_profile(self, step: Json) -> Json:
        # Rejected profiles come as raw text, too: answer {"accepted": false} for those.
        profile = json.loads(step["text"])
        if profile.get("configuration", {}).get("hooks") != []:
            raise NotYet("hooks: read them in Matrices.create_profile, and install the defaults where none are given")
        self.profiles[step["profile"]] = profile
        return {"accepted": True, "hooks": []}

    def open_thread(self, step: Json) -> Json:
        self.threads[step["thread"]] = step["profile"]
        return {}

    def fire(self, step: Json) -> Json:
        # With hooks: ask them in order, by step["answers"], and let time pass by their after_ms.
        ((_, event),) = step["event"].items()
        value = next(event[name] for name in ("text", "input", "output") if name in event)
        return {"fired": {"ended_ms": 0, "outcome": {"went_on": {"value": value}}}}


class Voiceos:
    """A fresh host of the VoiceOS dialect."""

    def install(self, step: Json) -> Json:
        manifest = json.loads(step["manifest"])
        if manifest.get("hooks"):
            raise NotYet("hooks: read them in Voiceos.install, and check the manifest")
        return {"accepted": True, "hooks": [], "callout": False}

    def fire(self, step: Json) -> Json:
        ((kind, event),) = step["event"].items()
        if kind != "transcript":
            raise NotYet(f"the event {kind}: fire it in Voiceos.fire")
        return {"ended_ms": 0, "outcome": {"went_on": {"value": event["transcript"]}}}


def run(script: Json) -> Json:
    """Runs a script and says what was observed, one observation a step."""
    ((dialect, body),) = script.items()
    platform = {"matrices": Matrices, "voiceos": Voiceos}[dialect]()
    observed = []
    for number, step in enumerate(body["steps"], 1):
        ((name, what),) = step.items()
        act = getattr(platform, name, None)
        try:
            if act is None:
                raise NotYet(f"a method {name} of {type(platform).__name__}")
            observed.append(act(what))
        except NotYet as missing:
            raise NotYet(f"step {number} ({name}) is not built yet; it wants {missing}") from None
    return {"steps": observed}


class Adapter(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # Otherwise the head and the body go in two packets, 40 ms apart.
    wbufsize = -1

    def answer(self, status: int, value: Json) -> None:
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
        self.wfile.flush()

    def do_GET(self) -> None:
        if self.path == "/hookproof/v1/about":
            self.answer(200, ABOUT)
        else:
            self.answer(404, {"error": f"no {self.path} here"})

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        if self.path != "/hookproof/v1/run":
            return self.answer(404, {"error": f"no {self.path} here"})
        try:
            self.answer(200, run(json.loads(body)))
        except NotYet as missing:
            self.answer(400, {"error": str(missing)})
        except Exception as error:  # whatever it is, the report shows it
            self.answer(400, {"error": f"{type(error).__name__}: {error}"})

    def log_message(self, *_: object) -> None:
        pass


if __name__ == "__main__":
    port = int(sys.argv[1]) if len(sys.argv) > 1 else 8080
    server = ThreadingHTTPServer(("127.0.0.1", port), Adapter)
    print(f"listening on http://127.0.0.1:{server.server_address[1]}", file=sys.stderr, flush=True)
    server.serve_forever()
