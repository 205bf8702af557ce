import { describe, expect, it } from "vitest";
import { agent } from "@parley/a2a/server";
import { jsonOf, send } from "../support/clients/http-client.js";
import { openServer } from "../support/servers/open-server.js";

const answering = { description: "Answers", run: () => "Hi" };
const pushing = agent({
  name: "Pushing",
  ...answering,
  capabilities: { pushNotifications: true },
});
const plain = agent({ name: "Plain", ...answering });

describe("the key set of a server", () => {
  it("is at its origin and below each agent, for everyone, as long as agents send notifications", async () => {
    await using server = await openServer({ agent: { "/pushing": pushing, "/plain": plain } });
    const bodies = new Set<string>();
    for (const path of ["", "/pushing", "/plain"]) {
      const answer = await send(server.url, `GET ${path}/.well-known/jwks.json`);
      expect(answer.status).toBe(200);
      expect(answer.headers["content-type"]).toBe("application/json");
      expect(answer.headers["cache-control"]).toBe("public, max-age=300");
      bodies.add(answer.text);
      expect(jsonOf(answer).keys).toHaveLength(3);
    }
    expect(bodies.size).toBe(1);
    const other = await send(server.url, "GET /elsewhere/.well-known/jwks.json");
    expect(other.status).toBe(404);
    const written = await send(server.url, "POST /.well-known/jwks.json");
    expect(written).toMatchObject({ status: 405, headers: { allow: "GET, HEAD" } });
  });

  it("is not there when no agent sends notifications", async () => {
    await using server = await openServer({ agent: plain });
    expect((await send(server.url, "GET /.well-known/jwks.json")).status).not.toBe(200);
  });
});
