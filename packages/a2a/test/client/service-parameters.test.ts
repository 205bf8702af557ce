import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Message } from "@parley/a2a";
import { connect } from "@parley/a2a/client";
import { grpcTransports } from "@parley/a2a/grpc";
import type { Server } from "@parley/a2a/node";
import { authenticatorOf } from "../support/auth/authenticator-of.js";
import { openDemo } from "../support/servers/open-demo.js";
import { verifies } from "../spec/verifies.js";

const extension = "https://example.com/ext/v1";
const names = ["a2a-version", "a2a-extensions", "x-always", "x-once"] as const;

let demo: Server;
let seen: (string | undefined)[];
beforeAll(async () => {
  demo = await openDemo({
    grpc: { port: 0, inCard: true },
    auth: authenticatorOf(async (credentials) => {
      seen = names.map((name) => credentials.header(name) ?? undefined);
      return { subject: "ada" };
    }),
  });
});
beforeEach(() => {
  seen = [];
});
afterAll(() => demo.close());

describe.each(["JSONRPC", "HTTP+JSON", "GRPC"])("over %s", (binding) => {
  it("sends the version, extensions and service parameters beside each request", async () => {
    verifies("version:no-patch");
    verifies("jsonrpc:headers", "rest:headers", "grpc:metadata", "version:major-minor");
    const agent = await connect(demo.url, {
      bindings: [binding],
      transports: grpcTransports(),
      extensions: [extension],
      headers: { "X-Always": "1" },
      credentialsOrigin: binding === "GRPC" ? (demo.grpcAddress ?? "") : demo.url,
    });
    await agent.text("echo hi", { serviceParameters: { "X-Once": "2" } });
    const [version, extensions, ...others] = seen;
    expect([agent.binding, version, ...others]).toEqual([binding, "1.0", "1", "2"]);
    expect(extensions?.split(", ")).toContain(extension);
  });

  it("says whose message it is, and which extensions are in it", async () => {
    verifies("context:client-generated");
    verifies("message:sender-role", "message:extension-uris", "message:reference-tasks");
    const messages: Message[] = [];
    const agent = await connect(demo.url, {
      bindings: [binding],
      transports: grpcTransports(),
      interceptors: [
        {
          before(outgoing) {
            if ("message" in outgoing.request) messages.push(outgoing.request.message);
          },
        },
      ],
    });
    const referenceTaskIds = ["an earlier task"];
    await agent.text("echo hi", { extensions: [extension], referenceTaskIds });
    expect(messages).toMatchObject([
      { role: "ROLE_USER", extensions: [extension], referenceTaskIds },
    ]);
    expect(messages[0]).not.toHaveProperty("contextId");
  });
});
