import { refuse } from "./refuse.js";

/** The number of an option: a whole one, from 1 on. `undefined` for an option that is not given. */
export function parseCount(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw refuse(`${option} must be a whole number from 1 on, not ${text}`);
}

const units: Readonly<Record<string, number>> = { b: 1, kb: 1024, mb: 1024 ** 2, gb: 1024 ** 3 };

/** The bytes of a size such as `512kb`, `64mb` or `1gb`. */
export function parseSize(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const [, count = "", unit = ""] = /^(\d+(?:\.\d+)?)([kmg]?b)$/i.exec(text) ?? [];
  const bytes = Math.round(Number(count) * (units[unit.toLowerCase()] ?? 0));
  if (bytes >= 1 && Number.isSafeInteger(bytes)) return bytes;
  throw refuse(`${option} must be a size such as 512kb, 64mb or 1gb, not ${text}`);
}

/** A port; 0 means any that is free. */
export function parsePort(option: string, text: string): number {
  const port = Number(text);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw refuse(`${option} must be a number from 0 to 65535, not ${text}`);
}

export function parseSeconds(option: string, text: string): number {
  const seconds = Number(text);
  if (text.trim() !== "" && seconds >= 0 && seconds <= 86_400) return seconds;
  throw refuse(`${option} must be a number of seconds up to 86400, not ${text}`);
}
