import { pointer } from "../json/value.js";

/** A fault of a manifest or a profile: where it is, and the clause that it breaks. */
export interface Fault {
  readonly pointer: string;
  readonly clause: string;
}

/** VO-MAN-T, MX-VAL-T: a larger text is refused unparsed, and no more faults are reported. */
export const MAX_TEXT_BYTES = 4 * 1024 * 1024;
const MAX_FAULTS = 1000;

export type Path = readonly (string | number)[];

/** Collects faults as they are found. */
export class Faults {
  private readonly list: Fault[] = [];

  get found(): readonly Fault[] {
    return this.list;
  }

  add(clause: string, path: Path): void {
    this.addAt(clause, pointer(path));
  }

  addAt(clause: string, at: string): void {
    if (this.list.length < MAX_FAULTS) {
      this.list.push({ pointer: at, clause });
    }
  }
}
