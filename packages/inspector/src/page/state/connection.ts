import { signal } from "@preact/signals";
import type { Signal } from "@preact/signals";
import type { Connection, ConnectionRequest, Problem } from "../../contract/index.js";
import { api, problemOf } from "../api/index.js";
import { announce } from "./announce.js";

export type ConnectionStatus = "idle" | "connecting" | "connected" | "error";

/** The agent that screens talk to. */
export const connection: Signal<Connection | undefined> = signal(undefined);
export const connectionStatus: Signal<ConnectionStatus> = signal("idle");
export const connectionProblem: Signal<Problem | undefined> = signal(undefined);

/** What was asked for last, to be asked again when the backend was lost. It holds no secret. */
let asked: ConnectionRequest | undefined;

/** Connects to an agent in place of the one before. */
export async function connectTo(request: ConnectionRequest): Promise<Connection | undefined> {
  connectionStatus.value = "connecting";
  connectionProblem.value = undefined;
  const before = connection.peek();
  try {
    const opened = await api.post<Connection>("connections", request);
    const { secrets: _, ...rest } = request;
    asked = rest;
    connection.value = opened;
    connectionStatus.value = "connected";
    announce(`Connected to ${opened.card.name}`);
    // A backend that was started anew counts anew: its connections have the ids of those before.
    if (before !== undefined && before.id !== opened.id)
      void api.delete(`connections/${before.id}`).catch(() => undefined);
    return opened;
  } catch (error) {
    connectionProblem.value = problemOf(error);
    connectionStatus.value = "error";
    return undefined;
  }
}

/** Takes up a connection that the backend has open. */
export function takeConnection(open: Connection): void {
  asked = { url: open.url };
  connection.value = open;
  connectionStatus.value = "connected";
}

/** Connects again to the same agent: a backend that was started anew knows no connections. */
export async function connectAgain(): Promise<void> {
  if (asked !== undefined) await connectTo(asked);
}
