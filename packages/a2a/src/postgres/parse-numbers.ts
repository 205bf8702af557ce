import type pg from "pg";

type TypeParser = (text: string) => unknown;
type ParserOf = (oid: number, format?: "text" | "binary") => TypeParser;

const bigint = 20;
const bigintArray = 1016;

/** The driver's parsers, but for `bigint`, which comes as number and not as text. */
export function parseNumbers(driver: typeof pg): ParserOf {
  const known = driver.types.getTypeParser as ParserOf;
  const own: Readonly<Record<number, TypeParser>> = {
    [bigint]: parseSafe,
    [bigintArray]: (text) => (known(bigintArray)(text) as (string | null)[]).map(parseNullable),
  };
  return (oid, format) => own[oid] ?? known(oid, format);
}

function parseNullable(text: string | null): number | null {
  return text === null ? null : parseSafe(text);
}

function parseSafe(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} is larger than a number can be`);
  return value;
}
