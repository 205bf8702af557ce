import { Child, startMs, within } from "./child.js";
import type { Program } from "./child.js";
import { EventLog, patienceMs } from "./event-log.js";
import type { PeerEvent, PeerPush, PeerTask, SentPart } from "./told.js";

/** Where a peer's client calls an agent. */
export interface Target {
  /** The URL of the agent, where its card is found. */
  readonly base: string;
  /** The URL of the interface, or for gRPC its address. */
  readonly url: string;
  readonly binding: string;
  readonly version: string;
}

/** What a command may carry beside its target. */
export interface Wish {
  readonly parts?: readonly SentPart[];
  readonly taskId?: string;
  readonly contextId?: string;
  readonly wait?: boolean;
  readonly push?: { readonly id?: string; readonly url: string; readonly token: string };
  readonly pushId?: string;
}

interface Results {
  readonly card: {
    readonly name: string;
    readonly interfaces: readonly string[][];
    readonly answer: PeerEvent;
  };
  readonly send: PeerEvent;
  readonly get: PeerTask;
  readonly list: { readonly tasks: readonly PeerTask[]; readonly total?: number };
  readonly cancel: PeerTask;
  readonly setPush: PeerPush;
  readonly getPush: PeerPush;
  readonly listPush: readonly PeerPush[];
  readonly deletePush: unknown;
}

interface Line {
  readonly id: number;
  readonly event?: PeerEvent;
  readonly result?: unknown;
  readonly error?: { readonly type: string; readonly word?: string | null; readonly text: string };
}

/** An error that a peer's client threw. `word` names it if the peer gave it a type of its own. */
export class PeerError extends Error {
  readonly word: string | undefined;

  constructor({ type, word, text }: NonNullable<Line["error"]>) {
    super(`${type}: ${text}`);
    this.word = word ?? undefined;
  }
}

/** A client of a peer, in a process of its own. */
export class PeerClient implements AsyncDisposable {
  readonly #child: Child;
  readonly #waiting = new Map<number, (line: Line) => void>();
  #count = 0;

  private constructor(child: Child) {
    this.#child = child;
    this.#child.listen((line) => this.#waiting.get((line as Line).id)?.(line as Line));
  }

  /** Starts the program. Its first line says that it takes commands. */
  static async start(program: Program): Promise<PeerClient> {
    const child = new Child(program);
    await child.firstLine(startMs);
    return new PeerClient(child);
  }

  async call<Do extends keyof Results>(
    does: Do,
    target: Target,
    wish: Wish = {},
  ): Promise<Results[Do]> {
    return (await this.#start(does, target, wish, () => undefined)) as Results[Do];
  }

  /** Opens a stream. */
  open(does: "stream" | "subscribe", target: Target, wish: Wish = {}): EventLog {
    const log = new EventLog();
    this.#start(does, target, wish, (event) => log.push(event)).then(
      () => log.end(),
      (error: unknown) => log.end(error),
    );
    return log;
  }

  async #start(
    does: string,
    target: Target,
    wish: Wish,
    onEvent: (event: PeerEvent) => void,
  ): Promise<unknown> {
    const id = (this.#count += 1);
    const end = new Promise<unknown>((resolve, reject) => {
      this.#waiting.set(id, ({ event, result, error }) => {
        if (event !== undefined) return onEvent(event);
        this.#waiting.delete(id);
        if (error === undefined) resolve(result);
        else reject(new PeerError(error));
      });
    });
    this.#child.send({ id, do: does, ...target, ...wish });
    return within(patienceMs, `the peer's ${does}`, end);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#child[Symbol.asyncDispose]();
  }
}
