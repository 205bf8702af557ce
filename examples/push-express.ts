import express from "express";
import { A2AError } from "@parley/a2a";
import { createPushVerifier } from "@parley/a2a/client/push";
import type { VerifiedPush } from "@parley/a2a/client/push";

/** A webhook for Express. The signature covers the raw body, so no JSON parser may run before it. */
export function createWebhookRouter(
  options: { readonly agent: string; readonly url: string },
  handle: (push: VerifiedPush) => Promise<void>,
): express.Router {
  const { verifyPush } = createPushVerifier(options);
  // The last sequence handled for each task. In production, store it with the task.
  const last = new Map<string, number>();
  const router = express.Router();
  router.get("/", (request, response) => {
    const { validationToken = "" } = request.query;
    response.type("text/plain").send(typeof validationToken === "string" ? validationToken : "");
  });
  router.post("/", express.raw({ type: () => true, limit: "10mb" }), async (request, response) => {
    try {
      const push = await verifyPush({ headers: request.headers, body: request.body as Buffer });
      if (push.sequence > (last.get(push.taskId) ?? 0)) {
        await handle(push);
        last.set(push.taskId, push.sequence);
      }
      response.sendStatus(204);
    } catch (error) {
      if (!A2AError.is(error)) throw error;
      response.status(error.code === "UNAVAILABLE" ? 503 : 401).send(error.message);
    }
  });
  return router;
}
