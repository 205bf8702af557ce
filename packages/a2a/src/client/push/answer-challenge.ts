/**
 * The answer to a server that asks whether notifications are wanted here, by
 * `GET ?validationToken=…`; undefined for every other request.
 */
export function answerChallenge(request: Request): Response | undefined {
  const word = new URL(request.url).searchParams.get("validationToken");
  if (request.method !== "GET" || word === null || !/^[\w.~-]{1,256}$/.test(word)) return undefined;
  const headers = {
    "Content-Type": "text/plain; charset=utf-8",
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-store",
  };
  return new Response(word, { headers });
}
