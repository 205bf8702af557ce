import { signal } from "@preact/signals";
import type { Signal } from "@preact/signals";
import type { Capabilities, Problem } from "../../contract/index.js";

/** What this inspector can do; absent until the backend, or an opened recording, has said it. */
export const capabilities: Signal<Capabilities | undefined> = signal(undefined);

/** Why it is not known. */
export const startProblem: Signal<Problem | undefined> = signal(undefined);
