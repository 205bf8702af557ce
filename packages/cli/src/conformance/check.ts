import type { ProtocolVersion } from "@parley/a2a";
import type { RequirementId } from "./requirements.js";
import type { Subject } from "./subject.js";

/** Whether a requirement holds; `skip` where it cannot be seen from outside, or does not apply. */
export type Status = "pass" | "fail" | "skip";

/** What a check saw. */
export interface Observation {
  readonly status: Status;
  readonly found: string;
}

/** A check of one requirement at one interface. */
export interface ConformanceCheck {
  readonly id: RequirementId;
  /** The versions that demand it; 1.0 alone when absent. */
  readonly versions?: readonly ProtocolVersion[];
  /** The bindings that it is about; all when absent. */
  readonly bindings?: readonly string[];
  run(subject: Subject): Promise<Observation> | Observation;
}

/** All versions. */
export const every: readonly ProtocolVersion[] = ["0.1", "0.2", "0.3", "1.0"];
/** The versions in which the server names tasks, and messages have ids. */
export const since02: readonly ProtocolVersion[] = ["0.2", "0.3", "1.0"];
/** Bindings whose bodies are JSON. */
export const overHttp: readonly string[] = ["JSONRPC", "HTTP+JSON"];

export function pass(found: string): Observation {
  return { status: "pass", found };
}

export function fail(found: string): Observation {
  return { status: "fail", found };
}

export function skip(found: string): Observation {
  return { status: "skip", found };
}

/** Passes if a condition holds. */
export function expectThat(holds: boolean, found: string): Observation {
  return { status: holds ? "pass" : "fail", found };
}
