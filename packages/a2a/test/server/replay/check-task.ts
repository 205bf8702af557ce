import type { LogEntry } from "../../../src/store/index.js";
import type { Activation } from "./witness.js";
import { foldOf, recordsOf, textsOf } from "./records.js";

/**
 * Compares the artifacts of a task that has ended, or waits, with what its last activation told. Its point is the
 * latest record that it awaited before it did something new. What stood there stays, everything after it is this activation's, and nothing of
 * an earlier one that was cut is left among it.
 */
export function checkTexts(log: readonly LogEntry[], activation: Activation): string[] {
  const { begunAt, deeds, generation } = activation;
  const known = recordsOf(log.slice(0, begunAt));
  const problems: string[] = [];
  const left = new Set(Array.from(known.values(), ({ sequence }) => sequence));
  const calledAt = new Map<string, number>();
  const again = new Set(deeds.flatMap((deed) => ("told" in deed ? (deed.again ?? []) : [])));
  let point = 0;
  let from = 0;
  let told = 0;
  let isLive = false;
  for (const [index, deed] of deeds.entries()) {
    const isOutput = "told" in deed || "noted" in deed;
    const isNew = "called" in deed && !known.has(deed.called);
    // From here on the activation does new things, or goes beyond what is recorded.
    if (isNew || (isOutput && ![...left].some((sequence) => sequence > point))) isLive = true;
    if (isOutput) told += 1;
    if ("called" in deed) {
      left.delete(known.get(deed.called)?.sequence ?? 0);
      if (!calledAt.has(deed.called)) calledAt.set(deed.called, told);
    }
    const awaited = "awaited" in deed ? deed.awaited : "";
    const { sequence } = known.get(awaited) ?? {};
    if (sequence === undefined) continue;
    // What was told between the call for a record and its use may have been told before or after it was recorded.
    if (!isLive && calledAt.get(awaited) === told && sequence > point) {
      point = sequence;
      from = index + 1;
    }
    const isTold = sequence <= point;
    if (awaited.startsWith("stream") && again.has(awaited) === isTold) {
      problems.push(`${awaited} of entry ${sequence} is told ${isTold ? "again" : "no more"}`);
    }
  }
  const found = textsOf(foldOf(log));
  const had = textsOf(foldOf(log.slice(0, begunAt)));
  const base = textsOf(foldOf(log.slice(0, point)));
  // What an edit put before the point is told if the task did not have the artifact.
  const fromStart = textsAfter(new Map(), activation, 0);
  const expected = textsAfter(base, activation, from);
  for (const [artifact, text] of fromStart) if (!had.has(artifact)) expected.set(artifact, text);
  for (const [artifact, text] of expected) {
    const now = found.get(artifact);
    if (now === text) continue;
    const since = `since entry ${point}, by generation ${generation}`;
    problems.push(`${artifact} is ${now}, expected ${text} (${since})`);
  }
  return problems;
}

/** The artifacts to which an activation has told something from a deed on. */
function textsAfter(
  base: ReadonlyMap<string, string>,
  { deeds }: Activation,
  from: number,
): Map<string, string> {
  const texts = new Map<string, string>();
  for (const deed of deeds.slice(from)) {
    if (!("told" in deed)) continue;
    const { artifact, told, replaces } = deed;
    const before = replaces ? "" : (texts.get(artifact) ?? base.get(artifact) ?? "");
    texts.set(artifact, before + told);
  }
  return texts;
}

const mark = /\[([\w.]+)\.(\d+)\/(\d+)(?: g(\d+))?\]/g;

/** Finds stretches in which chunks of two generations are mixed, or, unless the code was edited, some are missing. */
export function checkStretches(log: readonly LogEntry[], wasEdited: boolean): string[] {
  const problems: string[] = [];
  for (const [artifact, text] of textsOf(foldOf(log))) {
    let last: { id: string; index: number; count: number; by: string } | undefined;
    const close = (): void => {
      if (last === undefined || wasEdited || last.index === last.count - 1) return;
      problems.push(`${artifact} has ${last.id} only up to ${last.index}: ${text}`);
    };
    for (const [, id = "", index, count, by = ""] of text.matchAll(mark)) {
      const next = { id, index: Number(index), count: Number(count), by };
      const continues = next.index > 0;
      if (!continues) close();
      else if (
        last?.id !== id ||
        last.by !== by ||
        last.count !== next.count ||
        last.index !== next.index - 1
      ) {
        problems.push(`${artifact} has ${id}.${index} by ${by} in a wrong place: ${text}`);
      }
      last = next;
    }
    close();
  }
  return problems;
}

/** A status that is the same in every generation is told once, unless the code was edited. */
export function checkStatuses(log: readonly LogEntry[]): string[] {
  const seen = new Set<string>();
  const problems: string[] = [];
  for (const { event } of log) {
    if (event.kind !== "status-changed") continue;
    const text = event.status.message?.parts[0]?.text;
    if (text === undefined || !text.startsWith("[")) continue;
    if (seen.has(text)) problems.push(`the status ${text} was told twice`);
    seen.add(text);
  }
  return problems;
}
