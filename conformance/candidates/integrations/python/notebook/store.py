"""The notes themselves, kept in memory."""

from dataclasses import dataclass, field

MAX_NOTES = 1000


@dataclass(frozen=True)
class Note:
    title: str
    text: str


@dataclass
class Notebook:
    notes: list[Note] = field(default_factory=list)

    def add(self, title: str, text: str) -> Note:
        note = Note(title, text)
        self.notes.append(note)
        # The oldest go first: a notebook in memory must not grow for ever.
        del self.notes[:-MAX_NOTES]
        return note

    def delete(self, count: int) -> int:
        """Deletes the newest notes; says how many there were to delete."""
        kept = self.notes[: max(0, len(self.notes) - max(0, count))]
        deleted = len(self.notes) - len(kept)
        self.notes[:] = kept
        return deleted

    def find(self, query: str) -> list[Note]:
        wanted = query.casefold()
        return [
            n for n in self.notes if wanted in n.title.casefold() or wanted in n.text.casefold()
        ]
