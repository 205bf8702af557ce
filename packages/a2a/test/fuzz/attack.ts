import type { Arbitrary } from "fast-check";
import type { ServerProcess } from "./server-process.js";

/** A way to throw things at a server. */
export interface Attack<T = unknown> {
  readonly name: string;
  readonly inputs: Arbitrary<T>;
  /** Sends an input and checks what comes back. Throws `Misbehaviour`. */
  send(input: T, server: ServerProcess): Promise<void>;
  /** What was sent, for people. */
  print(input: T): string;
}

/** An attack whose inputs only it can read. */
export function attack<T>(one: Attack<T>): Attack {
  return one as Attack;
}
