import { A2AError } from "../../protocol/internal.js";

/** Whose turn it is: callers of one address and one user name take turns with all others. */
export interface Asker {
  /** The group of the caller's address. */
  readonly address: string;
  readonly user: string;
}

interface Waiting {
  begin(): Promise<void>;
  refuse(): void;
}

const maxPerUser = 8;
const maxPerAddress = 32;
const maxInAll = 256;

/**
 * Does one piece of work at a time, in turns: first between addresses, then between the user names of an address. So
 * whoever asks for much waits behind everybody else. Each has a limit; beyond it the asker is refused. When all
 * together wait for too much, the address that waits for most loses its latest.
 */
export class FairLine {
  /** Both maps have their entries in the order of the next turns. */
  readonly #addresses = new Map<string, Map<string, Waiting[]>>();
  #count = 0;
  #isBusy = false;

  run<T>({ address, user }: Asker, work: () => Promise<T>): Promise<T> {
    const users = this.#addresses.get(address) ?? new Map<string, Waiting[]>();
    const waiting = users.get(user) ?? [];
    if (waiting.length >= maxPerUser || countIn(users) >= maxPerAddress) throw tooMany();
    return new Promise((resolve, reject) => {
      waiting.push({
        begin: () => work().then(resolve, reject),
        refuse: () => reject(tooMany()),
      });
      users.set(user, waiting);
      this.#addresses.set(address, users);
      this.#count += 1;
      if (this.#count > maxInAll) this.#refuseOne();
      if (!this.#isBusy) void this.#proceed();
    });
  }

  async #proceed(): Promise<void> {
    this.#isBusy = true;
    for (let next = this.#take(); next !== undefined; next = this.#take()) await next.begin();
    this.#isBusy = false;
  }

  /** Takes the next out of the line, and puts its address, and its user name there, behind all others. */
  #take(): Waiting | undefined {
    const [turn] = this.#addresses;
    if (turn === undefined) return undefined;
    const [address, users] = turn;
    this.#addresses.delete(address);
    const [[user, waiting] = ["", []]] = users;
    users.delete(user);
    const next = waiting.shift();
    if (waiting.length > 0) users.set(user, waiting);
    if (users.size > 0) this.#addresses.set(address, users);
    this.#count -= 1;
    return next;
  }

  #refuseOne(): void {
    const users = mostIn(this.#addresses, countIn);
    const waiting = mostIn(users, ({ length }) => length);
    waiting.pop()?.refuse();
    this.#count -= 1;
    for (const [user, { length }] of users) if (length === 0) users.delete(user);
    for (const [address, { size }] of this.#addresses) {
      if (size === 0) this.#addresses.delete(address);
    }
  }
}

function countIn(users: ReadonlyMap<string, readonly Waiting[]>): number {
  let count = 0;
  for (const { length } of users.values()) count += length;
  return count;
}

/** The last of those that count most: it has come latest. */
function mostIn<T>(values: ReadonlyMap<string, T>, count: (value: T) => number): T {
  const [first, ...others] = [...values.values()] as [T, ...T[]];
  return others.reduce((most, one) => (count(one) >= count(most) ? one : most), first);
}

function tooMany(): A2AError {
  return new A2AError(
    "RESOURCE_EXHAUSTED",
    "too many passwords are being checked; try again later",
    { details: { retryAfterSeconds: 5 } },
  );
}
