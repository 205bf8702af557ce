import type { LightSignal } from "../../../async/internal.js";
import { checkSource } from "../../author/check-call.js";
import { artifactOf, isArtifact, isStatus, partsOf } from "../../author/output.js";
import type { Output } from "../../author/output.js";
import type { RunContext, StreamOptions } from "../../author/run-context.js";
import { Counts } from "../../journal/counts.js";
import type { Journal } from "../../journal/journal.js";
import { textOfPart, textOfStream } from "../../journal/past.js";
import { readAhead } from "./read-ahead.js";
import type { EventMaker } from "../event-maker.js";
import type { Teller } from "./teller.js";
import type { TaskWriter } from "../writer/task-writer.js";

/** What named streams work with. */
interface StreamParts {
  readonly journal: Journal;
  readonly writer: TaskWriter;
  readonly teller: Teller;
  readonly events: EventMaker;
  /** Aborted when the run is stopped. */
  readonly stop: LightSignal;
}

type Source = Parameters<RunContext["stream"]>[1];

/** The named streams of one handler. */
export class NamedStreams {
  readonly #parts: StreamParts;
  readonly #counts = new Counts();
  /** The artifacts that streams of this run have gone into. A further stream continues them. */
  readonly #begun = new Set<string>();
  readonly #unread = new Set<string>();

  constructor(parts: StreamParts) {
    this.#parts = parts;
  }

  /** The number of a stream is drawn when it is called, not when it is first read. */
  open(
    name: string,
    source: Source,
    options: StreamOptions = {},
  ): AsyncGenerator<Output, string, void> {
    this.#unread.add(name);
    return this.#read(name, this.#counts.next(name), source, options);
  }

  /** Finds the mistake of a handler that opened a stream and never read it, if it made one. */
  findUnread(): Error | undefined {
    const [name] = this.#unread;
    if (name === undefined) return undefined;
    const called = `stream(${JSON.stringify(name)}, ...)`;
    return new Error(`${called} was called and never read: write yield* ${called}`);
  }

  async *#read(
    name: string,
    nth: number,
    source: Source,
    options: StreamOptions,
  ): AsyncGenerator<Output, string, void> {
    this.#unread.delete(name);
    const { journal, writer, teller, events, stop } = this.#parts;
    const artifact = options.artifact ?? events.answerId;
    const recorded = journal.stream(name, nth);
    if (recorded !== undefined) {
      const isTold = await teller.reach(recorded.sequence);
      const text = await writer.look((live) => textOfStream(live, recorded));
      if (isTold && recorded.artifact !== undefined) this.#begun.add(recorded.artifact);
      if (!isTold && text !== "") yield this.#place(text, options);
      return text;
    }
    await teller.live();
    const isContinued = artifact === events.answerId || this.#begun.has(artifact);
    const from = isContinued ? teller.lengthOf(artifact) : 0;
    const opened = await (typeof source === "function" ? source(stop.toAbortSignal()) : source);
    checkSource(name, opened);
    let text = "";
    let isEmpty = true;
    for await (const chunk of readAhead(opened)) {
      const output = isContent(chunk) ? this.#place(chunk, options) : chunk;
      isEmpty = false;
      yield output;
      text += textIn(output, artifact, events.answerId);
    }
    const to = from + text.length;
    if (text !== "" && teller.lengthOf(artifact) !== to) throw notYielded(name);
    await writer.ready();
    const isOwn = options.artifact !== undefined && this.#begun.has(artifact);
    const place = isEmpty ? { from: 0, to: 0 } : { artifact, from, to };
    const record = { kind: "stream-recorded", name, nth, ...place } as const;
    await writer.write(() => ({
      events: [...teller.rest(artifact), ...(isOwn ? [events.closing(artifact)] : []), record],
    }));
    return text;
  }

  /** A chunk as an output: of the answer, or of the stream's own artifact. */
  #place(chunk: Content, { artifact, name }: StreamOptions): Output {
    if (artifact === undefined) return chunk;
    const append = this.#begun.has(artifact);
    this.#begun.add(artifact);
    const isNamed = !append && name !== undefined;
    return { artifact, append, parts: chunk, ...(isNamed && { name }) };
  }
}

type Content = Exclude<Output, { readonly status: unknown } | { readonly artifact: string }>;

function isContent(output: Output): output is Content {
  return !isStatus(output) && !isArtifact(output);
}

/** The text that an output adds to an artifact. */
function textIn(output: Output, artifactId: string, answerId: string): string {
  if (isStatus(output)) return "";
  if (isArtifact(output)) {
    const artifact = artifactOf(output);
    return artifact.artifactId === artifactId ? artifact.parts.map(textOfPart).join("") : "";
  }
  return artifactId === answerId ? partsOf(output).map(textOfPart).join("") : "";
}

function notYielded(name: string): Error {
  return new Error(
    `the chunks of stream "${name}" were not told: write yield* stream(${JSON.stringify(name)}, ...), in a handler ` +
      "that is an async function*",
  );
}
