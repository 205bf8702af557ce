import type { Store } from "@parley/a2a/store";
import type { StuckTerms } from "./store/find-stuck.js";

/** Where the inspector listens, whom it lets in, and what it looks at. */
export interface InspectorOptions {
  /** The address to listen on; the loopback address when absent. Any other needs `key`. */
  readonly host?: string;
  /** 4180 when absent; 0 for any that is free. */
  readonly port?: number;
  /** Asked for beside the code of a link, at an address that other machines reach; at least 16 characters. */
  readonly key?: string;
  /** Hosts, with their ports, under which people reach the inspector at such an address. */
  readonly publicHosts?: readonly string[];
  /** The agent that the link leads to. */
  readonly url?: string;
  /** Reads a store without a server. Whoever has opened it closes it. */
  readonly store?: Store;
  /** Shows the text of a `.parley.jsonl` file, and calls nobody. */
  readonly recording?: string;
  /** After how long tasks count as stuck. */
  readonly stuck?: Partial<StuckTerms>;
  /** The port of the receiver of push notifications; any that is free when absent. `false`: there is none. */
  readonly receiverPort?: number | false;
  /** Signs sessions. With the same key, sessions outlive a restart; random when absent. */
  readonly sessionKey?: Uint8Array;
  /** Where the files of the page are; those of this package when absent. */
  readonly pageFolder?: string;
  /** Milliseconds since 1970, by which codes and sessions end; the system's clock when absent. */
  readonly now?: () => number;
  /** Is told of errors of the inspector itself; the console when absent. */
  readonly report?: (error: unknown) => void;
}
