import { isFailure } from "../../src/conformance/report.js";
import { runConformance } from "../../src/conformance/run-conformance.js";
import type { ConformanceResult } from "../../src/conformance/run-conformance.js";
import type { ConformanceOptions } from "../../src/conformance/subject.js";
import { findDocuments } from "@parley/inspector/probe";

/** All results for an agent. */
export async function checkAgent(
  reference: string,
  options: ConformanceOptions,
): Promise<readonly ConformanceResult[]> {
  const timeoutMs = 5000;
  const fetch = (url: string, init: RequestInit) => globalThis.fetch(url, init);
  const documents = await findDocuments(reference, { fetch, timeoutMs });
  const used = documents.find(({ card }) => card !== undefined);
  if (used?.card === undefined) throw new Error("there is no card");
  const { card, document, url: cardUrl } = used;
  const interfaces = card.supportedInterfaces;
  const target = { card, interfaces, document, cardUrl, connect: {}, timeoutMs };
  const results: ConformanceResult[] = [];
  for await (const one of runConformance({ target, documents }, options)) results.push(one);
  return results;
}

/** The requirements that an agent must meet and does not, with the interfaces at which it does not. */
export function failuresOf(
  results: readonly ConformanceResult[],
): Readonly<Record<string, readonly string[]>> {
  const failures: Record<string, string[]> = {};
  for (const one of results.filter(isFailure)) (failures[one.id] ??= []).push(one.interface);
  return failures;
}
