import type { BusTopic } from "../bus.js";
import type { Ears } from "../shared/carrier.js";
import type { Batch } from "../shared/outbox.js";

/** Who sent a text, and its number among the texts of that sender. */
export interface Stamp {
  readonly sender: string;
  readonly number: number;
}

const gap = "!";
const topics: readonly string[] = ["abandoned", "drain"] satisfies readonly BusTopic[];

/**
 * One text of a batch. The first line is the stamp. Each further line is `key:sequence`, a topic with its message as JSON, or
 * a mark that wake-ups were dropped. Whoever does not know a line ignores it, so later versions may add some.
 */
export function encode({ sender, number }: Stamp, batch?: Batch): string {
  const lines = [`${sender} ${number}`];
  if (batch !== undefined) {
    if (batch.hasGap) lines.push(gap);
    for (const { topic, message } of batch.told) lines.push(`${topic} ${JSON.stringify(message)}`);
    for (const [key, sequence] of batch.wakeUps) lines.push(`${key}:${sequence}`);
  }
  return lines.join("\n");
}

/** The stamp of a text; nothing if somebody else uses the channel for something else. */
export function readStamp(text: string): Stamp | undefined {
  const [, sender, number] = /^(\w+) (\d+)(?:\n|$)/u.exec(text) ?? [];
  return sender === undefined ? undefined : { sender, number: Number(number) };
}

/** Tells what is in a text. */
export function readLines(text: string, ears: Pick<Ears, "wake" | "hear" | "miss">): void {
  for (const line of text.split("\n").slice(1)) {
    if (line === gap) ears.miss();
    const [, key, sequence] = /^(\w+):(\d+)$/u.exec(line) ?? [];
    if (key !== undefined) ears.wake(key, Number(sequence));
    const [, topic, json] = /^(\w+) (".*")$/u.exec(line) ?? [];
    if (topic !== undefined && json !== undefined && isTopic(topic)) {
      const message = parse(json);
      if (message !== undefined) ears.hear(topic, message);
    }
  }
}

function isTopic(name: string): name is BusTopic {
  return topics.includes(name);
}

function parse(json: string): string | undefined {
  try {
    return String(JSON.parse(json));
  } catch {
    return undefined;
  }
}
