import type { FetchedDocument } from "./find-documents.js";
import type { Finding } from "./finding.js";
import type { Target } from "./target.js";

/** What whoever looks at an agent wants to know. */
export interface VisitOptions {
  /** A web page's origin that has to be able to call. */
  readonly origin?: string;
}

/** An agent whose card was read, and where documents were looked for. */
export interface Visit<Options extends VisitOptions = VisitOptions> {
  readonly target: Target;
  readonly documents: readonly FetchedDocument[];
  readonly options: Options;
}

/** A check: its name, the sentence that holds when it says ok, and how it looks. */
export interface Check<V> {
  readonly name: string;
  readonly proves: string;
  run(visit: V): Promise<Finding> | Finding;
}

export type CardCheck = Check<Visit>;
