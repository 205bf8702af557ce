import { appendChunk, growingFrom, isOnlyParts } from "../../protocol/internal.js";
import type { Artifact, GrowingArtifact, Part } from "../../protocol/internal.js";
import type { ArtifactEvent, OutputEvent, StatusEvent } from "./output-event.js";

/** What a run tells again, compared with what its earlier attempts had told. */
export interface Earlier {
  /** The artifacts as the run's last record left them. */
  readonly before: readonly Artifact[];
  /** The artifacts as they are now. */
  readonly now: readonly Artifact[];
  /** The statuses that were told since that record, see `statusKey`. */
  readonly statuses: readonly string[];
}

/**
 * Compares what a run tells with what an earlier attempt had told before it was cut. While an artifact grows as it
 * did then, nothing is told. At the first difference one event replaces all of it: two generations are never
 * spliced. Chunks may be cut differently. A status that was told is not told again.
 */
export class Retelling {
  readonly #artifacts = new Map<string, ToldArtifact>();
  readonly #statuses: string[];

  constructor({ before, now, statuses }: Earlier) {
    this.#statuses = [...statuses];
    const start = new Map(before.map((artifact) => [artifact.artifactId, artifact]));
    for (const artifact of now) {
      const { artifactId } = artifact;
      this.#artifacts.set(artifactId, new ToldArtifact(artifact, start.get(artifactId)));
    }
  }

  /** What has to be told for an output; `undefined` when it is told already. */
  tell(event: OutputEvent): OutputEvent | undefined {
    if (event.kind === "artifact-updated") {
      const told = this.#artifacts.get(event.artifact.artifactId);
      return told === undefined ? event : told.tell(event);
    }
    const index = this.#statuses.indexOf(statusKey(event));
    if (index < 0) return event;
    this.#statuses.splice(index, 1);
    return undefined;
  }

  /** What has to be told of artifacts that are shorter this time, now that they, or one of them, are complete. */
  end(artifactId?: string): ArtifactEvent[] {
    const ended = artifactId === undefined ? [...this.#artifacts.keys()] : [artifactId];
    return ended.flatMap((id) => this.#artifacts.get(id)?.end() ?? []);
  }
}

/** What makes a status the same when it is told again: its words and its metadata. */
export function statusKey({ status, metadata }: StatusEvent): string {
  return JSON.stringify([status.state, status.message?.parts ?? null, metadata ?? null]);
}

/** One artifact: what the log has of it, and how it grows this time. */
class ToldArtifact {
  readonly #told: Artifact;
  /** The artifact as this attempt has it. */
  #made: GrowingArtifact | undefined;
  /** The place in the told parts up to which the new content is equal: a part and a character in its text. */
  #part = 0;
  #character = 0;
  /** The artifact has come to its end or differs: from here on everything is told. */
  #isLive = false;
  #hasGrown = false;

  constructor(told: Artifact, before: Artifact | undefined) {
    this.#told = told;
    if (before === undefined) return;
    this.#made = growingFrom(before);
    // An artifact that was replaced since does not begin as it did; what comes next differs then.
    if (this.#advance(before.parts)?.length !== 0) this.#part = Infinity;
  }

  tell(event: ArtifactEvent): ArtifactEvent | undefined {
    if (this.#isLive) return event;
    const { artifact } = event;
    this.#hasGrown = true;
    if (event.append === true && this.#made !== undefined) {
      this.#made = appendChunk(this.#made, artifact);
    } else {
      this.#made = growingFrom(artifact);
      this.#part = 0;
      this.#character = 0;
    }
    const rest = this.#isDescribedAlike(artifact) ? this.#advance(artifact.parts) : undefined;
    if (rest?.length === 0) return undefined;
    this.#isLive = true;
    if (rest === undefined) return whole(this.#made, event.lastChunk);
    return { ...event, artifact: { ...artifact, parts: rest }, append: true };
  }

  end(): ArtifactEvent | undefined {
    if (this.#isLive || !this.#hasGrown || this.#made === undefined) return undefined;
    this.#isLive = true;
    return this.#isAtEnd() ? undefined : whole(this.#made);
  }

  /** Goes on over parts that are equal. Returns those beyond the end of what was told; `undefined` when they differ. */
  #advance(parts: readonly Part[]): readonly Part[] | undefined {
    for (const [index, part] of parts.entries()) {
      const rest = isPlain(part) ? this.#advanceText(part.text) : this.#advancePart(part);
      if (rest === undefined) return undefined;
      if (rest !== "") {
        return [typeof rest === "string" ? { text: rest } : rest, ...parts.slice(index + 1)];
      }
    }
    return [];
  }

  #advanceText(text: string): string | undefined {
    let rest = text;
    while (rest !== "") {
      if (this.#isAtEnd()) return rest;
      const part = this.#told.parts[this.#part];
      if (part === undefined || !isPlain(part)) return undefined;
      const length = Math.min(rest.length, part.text.length - this.#character);
      if (!part.text.startsWith(rest.slice(0, length), this.#character)) return undefined;
      this.#character += length;
      rest = rest.slice(length);
    }
    return rest;
  }

  #advancePart(part: Part): Part | "" | undefined {
    if (this.#isAtEnd()) return part;
    const told = this.#told.parts[this.#part];
    if (this.#character > 0 || JSON.stringify(told) !== JSON.stringify(part)) return undefined;
    this.#part += 1;
    return "";
  }

  /** Steps over text that is used up, and tells whether anything is left. */
  #isAtEnd(): boolean {
    for (;;) {
      const part = this.#told.parts[this.#part];
      if (part === undefined) return this.#part !== Infinity;
      if (!isPlain(part) || this.#character < part.text.length) return false;
      this.#part += 1;
      this.#character = 0;
    }
  }

  /** True when what an output says about the artifact, besides its parts, is as told. */
  #isDescribedAlike(artifact: Artifact): boolean {
    if (isOnlyParts(artifact)) return true;
    const known = { ...this.#told, parts: [] };
    const described = appendChunk({ ...known, parts: [] }, { ...artifact, parts: [] });
    return JSON.stringify(described) === JSON.stringify(known);
  }
}

function whole(artifact: Artifact, lastChunk?: boolean): ArtifactEvent {
  return { kind: "artifact-updated", artifact, ...(lastChunk === true && { lastChunk }) };
}

function isPlain(part: Part): part is { readonly text: string } {
  return part.text !== undefined && Object.keys(part).length === 1;
}
