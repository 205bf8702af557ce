import { describe, expect, it } from "vitest";
import type { Artifact, Part } from "../../protocol/internal.js";
import type { ArtifactEvent } from "./output-event.js";
import { Retelling } from "./retelling.js";

const artifactId = "answer";

function artifact(...parts: readonly (string | Part)[]): Artifact {
  return {
    artifactId,
    parts: parts.map((part) => (typeof part === "string" ? { text: part } : part)),
  };
}

function chunk(...parts: readonly (string | Part)[]): ArtifactEvent {
  return { kind: "artifact-updated", artifact: artifact(...parts), append: true };
}

function first(...parts: readonly (string | Part)[]): ArtifactEvent {
  return { kind: "artifact-updated", artifact: artifact(...parts) };
}

/** A retelling of an artifact that the earlier attempts had told, after a record that left some of it. */
function retellingOf(now: Artifact, before?: Artifact): Retelling {
  return new Retelling({ before: before === undefined ? [] : [before], now: [now], statuses: [] });
}

describe("an artifact that is told again", () => {
  it("is not told while it grows as before, however its chunks are cut", () => {
    const retelling = retellingOf(artifact("ab", "cde"));
    expect(retelling.tell(first("a"))).toBeUndefined();
    expect(retelling.tell(chunk("bcd"))).toBeUndefined();
    expect(retelling.tell(chunk("e"))).toBeUndefined();
    expect(retelling.end()).toEqual([]);
  });

  it("is told from where the earlier attempt was cut, in the middle of a chunk too", () => {
    const retelling = retellingOf(artifact("abc"));
    expect(retelling.tell(first("ab"))).toBeUndefined();
    expect(retelling.tell(chunk("cde", { data: 1 }))).toEqual(chunk("de", { data: 1 }));
    expect(retelling.tell(chunk("f"))).toEqual(chunk("f"));
  });

  it("is replaced as a whole at the first difference, and told as it comes from there on", () => {
    const retelling = retellingOf(artifact("abc"));
    expect(retelling.tell(first("ab"))).toBeUndefined();
    expect(retelling.tell(chunk("x"))).toEqual(first("ab", "x"));
    expect(retelling.tell(chunk("y"))).toEqual(chunk("y"));
  });

  it("is replaced at its end when it is shorter this time", () => {
    const retelling = retellingOf(artifact("abc"));
    retelling.tell(first("ab"));
    expect(retelling.end(artifactId)).toEqual([first("ab")]);
    expect(retelling.end()).toEqual([]);
  });

  it("goes on after what the last record left of it", () => {
    const retelling = retellingOf(artifact("ab", "cd"), artifact("ab"));
    expect(retelling.tell(chunk("c"))).toBeUndefined();
    expect(retelling.tell(chunk("x"))).toEqual(first("ab", "c", "x"));
  });

  it("differs at once when it was replaced since the last record", () => {
    const retelling = retellingOf(artifact("other"), artifact("ab"));
    expect(retelling.tell(chunk("c"))).toEqual(first("ab", "c"));
  });

  it("is told when what is said about it differs, and not when it is the same", () => {
    const told = { ...artifact("abc"), name: "A", metadata: { a: 1 } };
    const same = { ...first("a"), artifact: { ...artifact("a"), name: "A", metadata: { a: 1 } } };
    expect(retellingOf(told).tell(same)).toBeUndefined();
    const renamed = { ...first("a"), artifact: { ...artifact("a"), name: "B" } };
    expect(retellingOf(told).tell(renamed)).toEqual(renamed);
  });

  it("leaves the artifacts that it was given as they are", () => {
    const now = artifact("ab", "cd");
    const before = artifact("ab");
    const retelling = retellingOf(now, before);
    retelling.tell(chunk("x"));
    expect([now, before]).toEqual([artifact("ab", "cd"), artifact("ab")]);
  });
});

describe("a status that was told", () => {
  it("is told once less", () => {
    const status = (text: string) => ({
      kind: "status-changed" as const,
      status: {
        state: "TASK_STATE_WORKING" as const,
        message: { messageId: text, role: "ROLE_AGENT" as const, parts: [{ text }] },
        timestamp: "2026-01-01T00:00:00.000Z",
      },
    });
    const key = JSON.stringify(["TASK_STATE_WORKING", [{ text: "a" }], null]);
    const retelling = new Retelling({ before: [], now: [], statuses: [key] });
    expect(retelling.tell(status("b"))).toEqual(status("b"));
    expect(retelling.tell(status("a"))).toBeUndefined();
    expect(retelling.tell(status("a"))).toEqual(status("a"));
  });
});
