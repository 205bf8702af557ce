import type { HttpHeaders, WholeResponse } from "./http-message.js";

/** An answer in words, for people and probes. */
export function textResponse(
  status: number,
  text: string,
  headers: HttpHeaders = {},
): WholeResponse {
  const type = { "Content-Type": "text/plain; charset=utf-8" };
  return { status, headers: { ...type, ...headers }, body: `${text}\n` };
}

/** Refuses every other method than GET and HEAD. */
export function onlyRead(what: string): WholeResponse {
  return textResponse(405, `${what} read with GET.`, { Allow: "GET, HEAD" });
}
