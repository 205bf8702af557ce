/**
 * Answers the request by which a server checks that a webhook wants notifications, `GET ?validationToken=…`;
 * `undefined` for every other request.
 */
export function answerChallenge(request: Request): Response | undefined {
  const token = new URL(request.url).searchParams.get("validationToken");
  if (request.method !== "GET" || token === null || !/^[\w.~-]{1,256}$/.test(token))
    return undefined;
  const headers = {
    "Content-Type": "text/plain; charset=utf-8",
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-store",
  };
  return new Response(token, { headers });
}
