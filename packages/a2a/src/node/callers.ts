import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/**
 * Tells calls when their callers are gone. Over HTTP/1 a caller that leaves closes its connection, so the calls of
 * one connection share a signal: to create a signal costs more than many a call.
 */
export class Callers {
  readonly #present = new Map<Socket | ServerResponse, AbortController>();
  #areSentAway = false;

  /** A signal that aborts when the caller goes away, or is sent away. */
  signalOf(incoming: IncomingMessage, response: ServerResponse): AbortSignal {
    const presence = incoming.httpVersionMajor === 1 ? incoming.socket : response;
    return (this.#present.get(presence) ?? this.#watch(presence)).signal;
  }

  /** Aborts the signals of all callers, those of later calls too. */
  sendAway(): void {
    this.#areSentAway = true;
    for (const controller of this.#present.values()) controller.abort();
  }

  #watch(presence: Socket | ServerResponse): AbortController {
    const controller = new AbortController();
    if (presence.destroyed || this.#areSentAway) controller.abort();
    if (presence.destroyed) return controller;
    this.#present.set(presence, controller);
    presence.once("close", () => {
      this.#present.delete(presence);
      controller.abort();
    });
    return controller;
  }
}
