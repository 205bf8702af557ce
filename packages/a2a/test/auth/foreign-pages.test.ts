import { describe, expect, it } from "vitest";
import {
  apiKey,
  createAuthenticator,
  createKey,
  hashPassword,
  httpBasic,
  httpBearer,
  keyTable,
} from "@parley/a2a/auth";
import type { CorsOptions } from "../../src/http/http-options.js";
import { jsonOf, rpc, say, send } from "../support/clients/http-client.js";
import { openServer } from "../support/servers/open-server.js";

async function open(cors?: CorsOptions, more: { readonly publicUrl?: string } = {}) {
  const { key, hash } = await createKey();
  const keys = [{ subject: "ada", hash }];
  const passwordHash = await hashPassword("right", 1);
  const auth = createAuthenticator({
    schemes: {
      cookie: apiKey({ in: "cookie", name: "session", keys }),
      basic: httpBasic({ users: [{ username: "ada", passwordHash }] }),
      token: httpBearer({ verify: keyTable(keys) }),
    },
  });
  const server = await openServer({ auth, ...(cors && { cors }), ...more });
  const shown = {
    cookie: { Cookie: `session=${key}` },
    password: { Authorization: `Basic ${btoa("ada:right")}` },
    token: { Authorization: `Bearer ${key}` },
  };
  const sent = rpc("SendMessage", say("flight"), shown.cookie);
  const { id } = jsonOf(await send(server.url, "POST /", sent)).result.task;
  /** What any page can do: a request that reads, and so needs no preflight. */
  const statusOf = async (how: keyof typeof shown, origin?: string): Promise<number> => {
    const headers = { ...shown[how], ...(origin !== undefined && { Origin: origin }) };
    return (await send(server.url, `GET /tasks/${id}`, { headers })).status;
  };
  return { server, statusOf, [Symbol.asyncDispose]: () => server.close() };
}

describe("what a browser adds by itself", () => {
  it.each(["cookie", "password"] as const)(
    "counts for nothing from a foreign page: %s",
    async (how) => {
      await using site = await open();
      for (const origin of ["https://evil.example", "null", "http://127.0.0.1:1", "nonsense"]) {
        expect(await site.statusOf(how, origin)).toBe(401);
      }
      expect(await site.statusOf(how)).not.toBe(401);
    },
  );

  it("counts from our own pages, also behind a proxy", async () => {
    await using plain = await open();
    expect(await plain.statusOf("cookie", plain.server.url)).not.toBe(401);
    const publicUrl = "https://agents.example";
    await using behind = await open(undefined, { publicUrl });
    expect(await behind.statusOf("cookie", publicUrl)).not.toBe(401);
    expect(await behind.statusOf("cookie", behind.server.url)).toBe(401);
  });

  it("counts from pages that may use it", async () => {
    const origins = ["https://app.example"];
    await using trusting = await open({ origins, credentials: true });
    expect(await trusting.statusOf("cookie", "https://app.example")).not.toBe(401);
    expect(await trusting.statusOf("cookie", "https://evil.example")).toBe(401);
    await using reading = await open({ origins });
    expect(await reading.statusOf("cookie", "https://app.example")).toBe(401);
    await using anyone = await open({ origins: "*" });
    expect(await anyone.statusOf("cookie", "https://app.example")).toBe(401);
  });
});

it("a token counts wherever it comes from: no browser adds one", async () => {
  await using site = await open();
  expect(await site.statusOf("token", "https://app.example")).not.toBe(401);
});
