import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createAuthenticator, httpBearer } from "@parley/a2a/auth";
import type { AuditEvent, Verdict } from "@parley/a2a/auth";
import type { Server } from "@parley/a2a/node";
import { RawClient } from "../support/clients/raw-grpc-client.js";
import { addressOf, openServed } from "../support/servers/open-served.js";
import { requestFor } from "./request-for.js";
import { speakers } from "./speaker.js";
import type { Listener } from "./speaker.js";

const reported: unknown[] = [];
const audited: AuditEvent[] = [];
let serving: Server;
let listener: Listener;

beforeAll(async () => {
  // What many write first: the caller itself, and not a verdict about it.
  const verify = async () => ({ subject: "ada", scopes: ["call"] }) as unknown as Verdict;
  serving = await openServed({
    auth: createAuthenticator({ schemes: { token: httpBearer({ verify }) } }),
    reportFailure: (error) => reported.push(error),
    audit: { record: (event) => audited.push(event) },
  });
  listener = { url: serving.url, grpc: new RawClient(addressOf(serving)) };
});

afterAll(async () => {
  listener.grpc.close();
  await serving.close();
});

describe.each(speakers)("a caller whose verifier gives no verdict, in $name", (speaker) => {
  it("gets an internal error without a reason, which the log has under a name", async () => {
    reported.length = 0;
    audited.length = 0;
    const request = requestFor("getTask", { taskId: "t1", contextId: "c1" });
    const headers = { authorization: "Bearer hush" };
    const { code, bytes } = await speaker.call(listener, "getTask", request, headers);
    // JSON-RPC says it in the body, whatever the status around it is.
    if (speaker.isGrpc) expect(code).toBe(13);
    else expect(code === 500 || bytes.includes("-32603"), bytes).toBe(true);
    expect(bytes).toContain("nternal error");
    expect(bytes).not.toMatch(/verdict|subject/i);
    expect(reported).toEqual([
      expect.objectContaining({
        name: "WrongVerdict",
        message: expect.stringContaining('the scheme "token" gave an object with subject, scopes'),
      }),
    ]);
    expect(audited).toMatchObject([{ outcome: "denied", code: "INTERNAL" }]);
  });
});
