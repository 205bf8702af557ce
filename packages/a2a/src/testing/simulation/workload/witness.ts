import type { World } from "../world/world.js";

/** Which part of which run. */
interface Place {
  readonly taskId: string;
  readonly run: string;
  readonly place: number;
}

/** Compares what the activations of a run are given: each of them has to get the same, unless the store has lost it. */
export class Witness {
  readonly #world: World;
  readonly #seen = new Map<string, string>();

  constructor(world: World) {
    this.#world = world;
  }

  /** An answer came to a question. One that names a question has to have come to that one. */
  answered(place: Place, { id, text }: { readonly id: string; readonly text: string }): void {
    this.#same(place, "answer", id);
    const [, run, asked] = /^answer to (\S+) q(\d+)$/.exec(text) ?? [];
    if (run === undefined || (run === place.run && Number(asked) === place.place)) return;
    if (this.#world.hasLost(place.taskId)) return;
    this.#world.problem(
      `${place.taskId}: question ${place.place} of run ${place.run} got the answer to question ${asked} of run ${run}`,
    );
  }

  /** A named stream came to its end with this text. */
  told(place: Place, text: string): void {
    this.#same(place, "stream", text);
  }

  /** A message came while the run worked. */
  heard(place: Place, id: string): void {
    this.#same(place, "message", id);
  }

  clear(): void {
    this.#seen.clear();
  }

  #same({ taskId, run, place }: Place, what: string, value: string): void {
    const key = `${taskId} ${run} ${place}`;
    const known = this.#seen.get(key);
    this.#seen.set(key, value);
    if (known === undefined || known === value || this.#world.hasLost(taskId)) return;
    this.#world.problem(
      `${taskId}: the ${what} at place ${place} of run ${run} was ${known}, and is ${value} when the handler is begun again`,
    );
  }
}
