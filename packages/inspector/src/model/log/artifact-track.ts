import type { Artifact, Part } from "@parley/a2a";
import { TaskFold } from "@parley/a2a/store";
import { lastAtMost } from "./search.js";
import { contentSize } from "./size-of.js";

/** What an artifact says besides its parts. */
export type ArtifactHeader = Omit<Artifact, "parts">;

/** The life of one artifact: every update adds to lists that only grow, so that any moment is a prefix of them. */
export class ArtifactTrack {
  readonly artifactId: string;
  /** The parts of every replacement, one after the other. */
  readonly #parts: Part[] = [];
  // For each update: its position in the log, and the parts, characters and bytes up to its end.
  readonly #positions: number[] = [];
  readonly #partEnds: number[] = [];
  readonly #textEnds: number[] = [];
  readonly #byteEnds: number[] = [];
  /** The updates that began the artifact anew. */
  readonly #replacements: number[] = [];
  readonly #headers: ArtifactHeader[] = [];
  /** The updates with which those headers came. */
  readonly #headersAt: number[] = [];

  constructor(artifactId: string) {
    this.artifactId = artifactId;
  }

  /** The position of the entry with which the artifact appeared. */
  get since(): number {
    return this.#positions[0] ?? 0;
  }

  add(position: number, chunk: Artifact, append: boolean): void {
    const update = this.#positions.length;
    const isAppended = append && update > 0;
    if (!isAppended) this.#replacements.push(update);
    let text = this.#textEnds[update - 1] ?? 0;
    let bytes = this.#byteEnds[update - 1] ?? 0;
    for (const part of chunk.parts) {
      // As the library does: an update that only ends an artifact carries an empty text.
      if (isAppended && part.text === "") continue;
      this.#parts.push(part);
      text += part.text?.length ?? 0;
      bytes += contentSize(part);
    }
    this.#positions.push(position);
    this.#partEnds.push(this.#parts.length);
    this.#textEnds.push(text);
    this.#byteEnds.push(bytes);
    this.#addHeader(update, chunk, isAppended);
  }

  /** The artifact as of a position; `undefined` before it appeared. */
  at(position: number): ArtifactView | undefined {
    const update = lastAtMost(this.#positions, position);
    if (update < 0) return undefined;
    const from = this.#replacements[lastAtMost(this.#replacements, update)] ?? 0;
    const header = this.#headers[lastAtMost(this.#headersAt, update)];
    if (header === undefined) return undefined;
    const since = (ends: readonly number[]): number => (ends[update] ?? 0) - (ends[from - 1] ?? 0);
    return new ArtifactView({
      header,
      chunks: update - from + 1,
      textLength: since(this.#textEnds),
      bytes: since(this.#byteEnds),
      parts: this.#parts,
      from: this.#partEnds[from - 1] ?? 0,
      to: this.#partEnds[update] ?? 0,
      updatedAt: this.#positions[update] ?? 0,
    });
  }

  #addHeader(update: number, chunk: Artifact, isAppended: boolean): void {
    const known = this.#headers.at(-1);
    const { parts: _, ...said } = chunk;
    const { name, description, extensions, metadata } = said;
    const isGrowing = isAppended && known !== undefined;
    if (isGrowing && (name ?? description ?? extensions ?? metadata) === undefined) return;
    this.#headers.push(isGrowing ? headerAfter(known, said) : said);
    this.#headersAt.push(update);
  }
}

/** The header after a chunk, by the rules of the library's own fold. */
function headerAfter(known: ArtifactHeader, said: ArtifactHeader): ArtifactHeader {
  const fold = new TaskFold({
    id: "",
    status: { state: "TASK_STATE_WORKING" },
    artifacts: [{ ...known, parts: [] }],
  });
  fold.apply({ kind: "artifact-updated", artifact: { ...said, parts: [] }, append: true });
  const { parts: _, ...header } = fold.task().artifacts?.[0] ?? { ...known, parts: [] };
  return header;
}

interface Slice {
  readonly header: ArtifactHeader;
  readonly chunks: number;
  readonly textLength: number;
  readonly bytes: number;
  readonly parts: readonly Part[];
  readonly from: number;
  readonly to: number;
  readonly updatedAt: number;
}

/** An artifact at one moment. Its lengths are known; its text is read only where somebody looks at it. */
export class ArtifactView {
  readonly #slice: Slice;

  constructor(slice: Slice) {
    this.#slice = slice;
  }

  get artifactId(): string {
    return this.#slice.header.artifactId;
  }

  get header(): ArtifactHeader {
    return this.#slice.header;
  }

  /** How many updates it is made of since it began anew. */
  get chunks(): number {
    return this.#slice.chunks;
  }

  get textLength(): number {
    return this.#slice.textLength;
  }

  get bytes(): number {
    return this.#slice.bytes;
  }

  get partCount(): number {
    return this.#slice.to - this.#slice.from;
  }

  /** The position of its last update. */
  get updatedAt(): number {
    return this.#slice.updatedAt;
  }

  /** Some of its parts, all of them unless told otherwise. */
  parts(from: number = 0, to: number = this.partCount): readonly Part[] {
    const { parts, from: first } = this.#slice;
    return parts.slice(first + from, first + Math.min(to, this.partCount));
  }

  /** The last characters of its text, at most so many and a part's more. Reads only the parts that they are in. */
  textTail(characters: number): string {
    const { parts, from, to } = this.#slice;
    const found: string[] = [];
    let length = 0;
    for (let index = to - 1; index >= from && length < characters; index -= 1) {
      const text = parts[index]?.text;
      if (text === undefined) continue;
      found.push(text);
      length += text.length;
    }
    return found.reverse().join("").slice(-characters);
  }

  /** Whether nothing came between two moments of an artifact. */
  isSameAs(other: ArtifactView): boolean {
    return (
      this.#slice.parts === other.#slice.parts &&
      this.#slice.from === other.#slice.from &&
      this.#slice.to === other.#slice.to
    );
  }

  /** The parts that have come since an earlier moment; `undefined` when the artifact has begun anew since. */
  partsAfter(earlier: ArtifactView): readonly Part[] | undefined {
    const { parts, from, to } = this.#slice;
    const isGrown = earlier.#slice.parts === parts && earlier.#slice.from === from;
    return isGrown && earlier.#slice.to <= to ? parts.slice(earlier.#slice.to, to) : undefined;
  }

  artifact(): Artifact {
    return { ...this.#slice.header, parts: this.parts() };
  }
}
