/**
 * Tests whether the time that a wrong key takes reveals how much of it is right. It tries keys with nothing right
 * and keys with all but the last character right, in random order, and compares the two sets of times with Welch's
 * t-test, without the slowest samples, as dudect does. Beyond 4.5 the times differ. A comparison that stops at the
 * first wrong character is measured the same way, to show that the test would find it.
 */
import process from "node:process";
import { apiKey, hashKey } from "@parley/a2a/auth";
import type { Credentials } from "@parley/a2a/auth";
import { progress, report } from "./measure.js";

const rounds = 5;
const samples = 20_000;
const keptShare = 0.9;

/** The longest allowed key, so that a difference per character adds up. */
const key = "k".repeat(1000);
const nothingRight = "x".repeat(1000);
const almostRight = `${key.slice(0, -1)}x`;

type Check = (guess: string) => Promise<unknown>;

export async function benchAuth(): Promise<boolean> {
  const others = Array.from({ length: 100 }, (_, index) => hashKey(`key ${index}`));
  const hashes = [...(await Promise.all(others)), await hashKey(key)];
  const keys = hashes.map((hash, index) => ({ subject: `owner ${index}`, hash }));
  const scheme = apiKey({ in: "header", name: "x-key", keys });
  const ours: Check = (guess) => scheme.check(credentialsWith(guess));
  const careless: Check = async (guess) => {
    await hashKey(guess);
    for (let index = 0; index < key.length; index += 1) {
      if (guess.charCodeAt(index) !== key.charCodeAt(index)) return false;
    }
    return true;
  };
  progress("timing wrong API keys");
  const score = await medianScore(ours);
  const control = await medianScore(careless);
  const note = `; a careless comparison: ${control.toFixed(1)}`;
  const isQuiet = report({ name: "API key timing, |t|", value: score, unit: "", bar: 4.5, note });
  // Only a test that finds a known leak can show that there is none.
  const isSharp = report({
    name: "sharpness of the test, 4.5 / |t| of a careless comparison",
    value: 4.5 / control,
    unit: "",
    bar: 1,
  });
  return isQuiet && isSharp;
}

function credentialsWith(guess: string): Credentials {
  return { header: () => guess, query: () => undefined, cookie: () => undefined };
}

async function medianScore(check: Check): Promise<number> {
  const scores: number[] = [];
  for (let round = 0; round < rounds; round += 1) scores.push(await scoreOf(check));
  return scores.toSorted((a, b) => a - b)[Math.floor(rounds / 2)]!;
}

async function scoreOf(check: Check): Promise<number> {
  const times: [number[], number[]] = [[], []];
  const warmUp = samples / 10;
  for (let index = 0; index < samples + warmUp; index += 1) {
    const which = Math.random() < 0.5 ? 0 : 1;
    const guess = which === 0 ? nothingRight : almostRight;
    const start = process.hrtime.bigint();
    await check(guess);
    const taken = Number(process.hrtime.bigint() - start);
    if (index >= warmUp) times[which].push(taken);
  }
  const slowest = quantile([...times[0], ...times[1]], keptShare);
  const [one, two] = times.map((list) => momentsOf(list.filter((time) => time <= slowest)));
  return welch(one!, two!);
}

interface Moments {
  readonly mean: number;
  readonly variance: number;
  readonly count: number;
}

function momentsOf(values: readonly number[]): Moments {
  const count = values.length;
  const mean = values.reduce((sum, value) => sum + value, 0) / count;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (count - 1);
  return { mean, variance, count };
}

function welch(one: Moments, two: Moments): number {
  const error = Math.sqrt(one.variance / one.count + two.variance / two.count);
  return Math.abs(one.mean - two.mean) / error;
}

function quantile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * share)]!;
}
