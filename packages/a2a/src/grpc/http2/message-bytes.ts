/** Who holds bytes of a message that is not read yet. */
export interface Holder {
  /** Ends the call: the server needs its memory. */
  cut(): void;
}

/** How many bytes of messages a server holds while it reads them. */
export interface MessageBytesLimits {
  /** The first bytes of calls whose caller is not known yet, or whose message waits to be read; of all connections. */
  readonly early: number;
  /** Messages beyond their first bytes, from the time their reading begins until they are decoded; of all connections. */
  readonly reserved: number;
  /** The part of `reserved` that one connection may have. */
  readonly reservedPerConnection: number;
}

/**
 * Counts the bytes of messages that a server holds while it reads them, in two pools. The first bytes of a call come
 * without asking: when all of them together are too many, the connection that holds most loses its oldest call, so
 * that callers who send little are served. The rest of a long message is read only once there is room for all of it:
 * a message that was begun can be finished.
 */
export class MessageBytes {
  readonly limits: MessageBytesLimits;
  readonly #connections = new Set<ConnectionBytes>();
  /** Connections whose next message fits into their own part, and waits for room among all. */
  readonly #waiting = new Set<ConnectionBytes>();
  #early = 0;
  #reserved = 0;

  constructor(limits: MessageBytesLimits) {
    this.limits = limits;
  }

  /** The bytes of a connection, until it is closed. */
  connect(): ConnectionBytes {
    const connection = new ConnectionBytes(this);
    this.#connections.add(connection);
    return connection;
  }

  disconnect(connection: ConnectionBytes): void {
    this.#connections.delete(connection);
    this.#waiting.delete(connection);
  }

  /** Counts early bytes, and makes room where there are too many. */
  addEarly(bytes: number): void {
    this.#early += bytes;
    while (this.#early > this.limits.early) {
      let heaviest: ConnectionBytes | undefined;
      for (const one of this.#connections) {
        if (one.early > (heaviest?.early ?? 0)) heaviest = one;
      }
      if (heaviest?.cutOldest() !== true) return;
    }
  }

  /** Takes bytes if there is room for them; otherwise the connection is told when there may be. */
  take(bytes: number, connection: ConnectionBytes): boolean {
    if (this.#reserved + bytes > this.limits.reserved) {
      this.#waiting.add(connection);
      return false;
    }
    this.#waiting.delete(connection);
    this.#reserved += bytes;
    return true;
  }

  giveBack(bytes: number): void {
    this.#reserved -= bytes;
    for (const connection of this.#waiting) {
      this.#waiting.delete(connection);
      connection.proceed();
      // There is no room for the next of this connection, so that the others have to wait, too.
      if (this.#waiting.has(connection)) return;
    }
  }
}

interface Waiter {
  readonly bytes: number;
  readonly begin: () => void;
}

/** The bytes that the calls of one connection hold. */
export class ConnectionBytes {
  readonly #all: MessageBytes;
  /** Oldest first. */
  readonly #holders = new Map<Holder, number>();
  readonly #waiters = new Set<Waiter>();
  #reserved = 0;
  early = 0;

  constructor(all: MessageBytes) {
    this.#all = all;
  }

  /** Says how many early bytes a call holds from now on. */
  hold(holder: Holder, bytes: number): void {
    const before = this.#holders.get(holder) ?? 0;
    if (bytes === before) return;
    if (bytes === 0) this.#holders.delete(holder);
    else this.#holders.set(holder, bytes);
    this.early += bytes - before;
    this.#all.addEarly(bytes - before);
  }

  /** Ends the call that has held early bytes for longest. Returns false if there is none. */
  cutOldest(): boolean {
    const [oldest] = this.#holders.keys();
    if (oldest === undefined) return false;
    oldest.cut();
    this.hold(oldest, 0);
    return true;
  }

  /** Calls back once there is room for a message, perhaps at once. Returns what gives the room back, or stops waiting. */
  reserve(bytes: number, begin: () => void): () => void {
    const waiter: Waiter = { bytes, begin };
    this.#waiters.add(waiter);
    this.proceed();
    return () => {
      if (this.#waiters.delete(waiter)) return;
      this.#reserved -= bytes;
      this.#all.giveBack(bytes);
      this.proceed();
    };
  }

  /** Begins the messages for which there is room, in their order. */
  proceed(): void {
    for (const waiter of this.#waiters) {
      if (this.#reserved + waiter.bytes > this.#all.limits.reservedPerConnection) return;
      if (!this.#all.take(waiter.bytes, this)) return;
      this.#reserved += waiter.bytes;
      this.#waiters.delete(waiter);
      waiter.begin();
    }
  }

  close(): void {
    this.#all.disconnect(this);
  }
}
