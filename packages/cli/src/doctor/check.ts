import type { Outcome, Session } from "../probe/session.js";
import type { Target } from "../probe/target.js";
import type { FetchedDocument } from "../probe/find-documents.js";
import type { Finding } from "./finding.js";

/** What a doctor does on its visit. */
export interface DoctorOptions {
  /** What is sent to the agent. */
  readonly message: string;
  /** Whether messages are sent at all; without, only reads are tried. */
  readonly sends: boolean;
  /** A web page's origin that has to be able to call. */
  readonly origin?: string;
}

/** An agent whose card was read, and where documents were looked for. */
export interface Visit {
  readonly target: Target;
  readonly documents: readonly FetchedDocument[];
  readonly options: DoctorOptions;
}

/** The visit of one interface. */
export interface InterfaceVisit extends Visit {
  readonly session: Session;
  /** What became of the first call, which asked for a task that does not exist. */
  readonly first: Outcome<unknown>;
  /** Tasks that checks have begun, which are canceled in the end if they still work. */
  readonly begun: Set<string>;
}

/** A check: its name, the sentence that holds when it says ok, and how it looks. */
export interface Check<V> {
  readonly name: string;
  readonly proves: string;
  run(visit: V): Promise<Finding> | Finding;
}

export type CardCheck = Check<Visit>;

export interface InterfaceCheck extends Check<InterfaceVisit> {
  /** Sends a message to the agent, or changes what it keeps. */
  readonly sends?: true;
  /** Is made also for a caller whom the agent does not serve. */
  readonly forStrangers?: true;
}
