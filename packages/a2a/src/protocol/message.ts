import type { JsonObject } from "./json.js";
import type { Part } from "./part.js";

/** Who sent a message. */
export type Role = "ROLE_USER" | "ROLE_AGENT";

/** One turn of communication between a client and an agent (§4.1.4). */
export interface Message {
  readonly messageId: string;
  readonly role: Role;
  readonly parts: readonly Part[];
  readonly contextId?: string;
  readonly taskId?: string;
  readonly referenceTaskIds?: readonly string[];
  readonly extensions?: readonly string[];
  readonly metadata?: JsonObject;
}
