import type { Lane, Session } from "../../postgres/internal.js";
import type { Place } from "./place.js";
import { repeat } from "./repeat.js";
import type { Tries } from "./repeat.js";

/** What operations share, and the session or the transaction in which something is done. */
export interface Work extends Place {
  readonly session: Session;
}

/** Does work that may be repeated on a connection for writes. */
export function write<Result>(
  place: Place,
  work: (work: Work, tries: Tries) => Promise<Result>,
  lane: Lane = "write",
): Promise<Result> {
  return repeat(place.database, (tries) =>
    place.database.withSession(lane, (session) => work({ ...place, session }, tries)),
  );
}

/** Does work that may be repeated in a transaction. */
export function transact<Result>(
  place: Place,
  work: (work: Work, tries: Tries) => Promise<Result>,
): Promise<Result> {
  return repeat(place.database, (tries) =>
    place.database.transaction("write", (session) => work({ ...place, session }, tries)),
  );
}
