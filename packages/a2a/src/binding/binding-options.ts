import type { Authenticator, Limits, MountableAgent } from "../protocol/internal.js";
import type { Mount } from "./mount.js";

/** The options that servers have in common, whatever the binding. */
export interface BindingOptions {
  readonly mounts: readonly Mount[];
  readonly limits?: Limits;
  /** Refuses 1.0 calls that do not name their version, as the specification demands. */
  readonly strictVersion?: boolean;
  /** Whether the server believes what a connection from this address forwards: it is that of a trusted proxy. */
  readonly trustsProxy?: (address: string) => boolean;
  /** Authenticates callers of the mounts that have no authenticator of their own; anyone may call when absent. */
  readonly auth?: Authenticator;
  /** Receives internal errors, of which callers learn nothing. Default: one line on the console. */
  readonly reportFailure?: (error: unknown) => void;
}

/** The options of a server that may have been given an agent in place of mounts: it is mounted at the root. */
export function optionsOf<Options extends BindingOptions>(
  given: MountableAgent | Options,
  further: Omit<Options, "mounts">,
): Options {
  const own = "service" in given ? { mounts: [{ agent: given }] } : given;
  return { ...further, ...own } as Options;
}
