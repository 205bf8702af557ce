/** What peers tell of tasks and events, the same for all versions and languages. */

/** A part as it is sent, and as it is told. Bytes are in base64. */
export type SentPart =
  | { readonly text: string }
  | { readonly bytes: string; readonly mediaType: string; readonly name: string }
  | { readonly url: string; readonly mediaType: string; readonly name: string };

export interface PeerTask {
  readonly kind: "task";
  readonly id: string;
  readonly contextId: string;
  /** Such as `input-required`. */
  readonly state: string;
  /** The parts of the message on its status. */
  readonly said: readonly SentPart[];
  /** The parts of all of its artifacts. */
  readonly parts: readonly SentPart[];
  readonly history: readonly (readonly SentPart[])[];
}

export type PeerEvent =
  | PeerTask
  | { readonly kind: "message"; readonly parts: readonly SentPart[] }
  | {
      readonly kind: "status";
      readonly id: string;
      readonly state: string;
      readonly said: readonly SentPart[];
    }
  | {
      readonly kind: "artifact";
      readonly id: string;
      readonly parts: readonly SentPart[];
      readonly append: boolean;
    };

export interface PeerPush {
  readonly id: string;
  readonly url: string;
  readonly token: string;
}

export const textIn = (parts: readonly SentPart[]): string =>
  parts.map((part) => ("text" in part ? part.text : "")).join("");

/** The text of the answer that the events tell: of a whole task, then of chunks. */
export function textOfEvents(events: readonly PeerEvent[]): string {
  let text = "";
  for (const event of events) {
    if (event.kind === "task") text = textIn(event.parts);
    if (event.kind === "artifact") text = (event.append ? text : "") + textIn(event.parts);
  }
  return text;
}

/** The state of the task after these events. */
export function stateAfter(events: readonly PeerEvent[]): string | undefined {
  const last = events.findLast((event) => event.kind === "task" || event.kind === "status");
  return last !== undefined && "state" in last ? last.state : undefined;
}
