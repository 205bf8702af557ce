import { A2AError } from "@parley/a2a";
import { answerChallenge, createPushVerifier } from "@parley/a2a/client/push";
import type { VerifiedPush } from "@parley/a2a/client/push";

/** A webhook for runtimes with `Request` and `Response`: Hono, Bun, Deno, Workers, Next. */
export function createWebhook(
  options: { readonly agent: string; readonly url: string },
  handle: (push: VerifiedPush) => Promise<void>,
): (request: Request) => Promise<Response> {
  const { verifyPush } = createPushVerifier(options);
  // The last sequence handled for each task. In production, store it with the task.
  const last = new Map<string, number>();
  return async (request) => {
    const answer = answerChallenge(request);
    if (answer !== undefined) return answer;
    try {
      const push = await verifyPush(request);
      if (push.sequence > (last.get(push.taskId) ?? 0)) {
        await handle(push);
        last.set(push.taskId, push.sequence);
      }
      return new Response(null, { status: 204 });
    } catch (error) {
      if (!A2AError.is(error)) throw error;
      return new Response(error.message, { status: error.code === "UNAVAILABLE" ? 503 : 401 });
    }
  };
}
