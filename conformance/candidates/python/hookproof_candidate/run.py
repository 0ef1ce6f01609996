"""From the text of a script to its transcript."""

from __future__ import annotations

from hookproof_candidate.limits import LONGEST_SCRIPT, LONGEST_TRANSCRIPT, Allowance, write_out
from hookproof_candidate.matrices.catalogue import Catalogue
from hookproof_candidate.matrices.platform import Platform
from hookproof_candidate.matrices.steps import read_steps as read_matrices_steps
from hookproof_candidate.reading import Members, NoScript, StepCount, items, tagged
from hookproof_candidate.values import Json, JsonObject, NotJson, dump, parse_unique
from hookproof_candidate.voiceos.host import Host
from hookproof_candidate.voiceos.steps import read_steps as read_voiceos_steps


def run_text(script: str | bytes) -> str:
    """Run a script on a fresh host; raise `NoScript` where it is none."""
    octets = script.encode("utf-8", "surrogatepass") if isinstance(script, str) else script
    if len(octets) > LONGEST_SCRIPT:
        raise NoScript("a script has at most 16 MiB")
    try:
        value = parse_unique(octets.decode())
    except (NotJson, UnicodeDecodeError) as error:
        raise NoScript(f"it is no JSON: {error}") from error
    transcript = dump(run(write_out(value)))
    if len(transcript.encode()) > LONGEST_TRANSCRIPT:
        raise NoScript("its transcript comes to more than 16 MiB")
    return transcript


def run(script: Json) -> JsonObject:
    """Run a script that is written out."""
    allowance = Allowance()
    count = StepCount()
    dialect, body = tagged(script, "script")
    members = Members(body, dialect)
    observations: list[Json]
    match dialect:
        case "voiceos":
            voiceos_steps = members.need("steps", lambda v, w: read_voiceos_steps(v, w, count))
            members.done()
            host = Host(allowance)
            observations = [host.carry_out(step) for step in voiceos_steps]
        case "matrices":
            matrices_steps = members.need("steps", lambda v, w: read_matrices_steps(v, w, count))
            defaults = members.maybe("catalogue", items)
            members.done()
            catalogue = Catalogue() if defaults is None else Catalogue.of_script(defaults)
            platform = Platform(catalogue, allowance)
            observations = [platform.carry_out(step) for step in matrices_steps]
        case _:
            raise NoScript(f"`{dialect}` is no dialect")
    return {"steps": observations}
