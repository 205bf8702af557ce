import type { Check, Visit } from "@parley/inspector/probe";
import type { Outcome, Session } from "../probe/session.js";

/** What a doctor does on its visit. */
export interface DoctorOptions {
  /** What is sent to the agent. */
  readonly message: string;
  /** Whether messages are sent at all; without, only reads are tried. */
  readonly sends: boolean;
  /** A web page's origin that has to be able to call. */
  readonly origin?: string;
}

/** The visit of a doctor. */
export type DoctorVisit = Visit<DoctorOptions>;

/** The visit of one interface. */
export interface InterfaceVisit extends DoctorVisit {
  readonly session: Session;
  /** What became of the first call, which asked for a task that does not exist. */
  readonly first: Outcome<unknown>;
  /** Tasks that checks have begun, which are canceled in the end if they still work. */
  readonly begun: Set<string>;
}

export interface InterfaceCheck extends Check<InterfaceVisit> {
  /** Sends a message to the agent, or changes what it keeps. */
  readonly sends?: true;
  /** Is made also for a caller whom the agent does not serve. */
  readonly forStrangers?: true;
}
