import { afterAll, beforeAll, expect, test } from "vitest";
import { agent } from "@parley/a2a";
import { createAuthenticator, httpBearer, invalid, known } from "@parley/a2a/auth";
import { serve } from "@parley/a2a/node";
import type { Server } from "@parley/a2a/node";
import { createInspector } from "@parley/inspector";
import type { Refused, Session } from "@parley/inspector/contract";
import { byId } from "./support/browser/drive.js";
import { expectAccessible } from "./support/browser/expect-accessible.js";
import { browserHere, openBrowser } from "./support/browser/open-browser.js";

const key = "a key of many characters";
const audited: { readonly subject?: string; readonly reason?: string }[] = [];
let server: Server;

/** Tokens are names: an operator's begins with "op". */
const auth = createAuthenticator({
  schemes: {
    bearer: httpBearer({
      verify: async (token) =>
        /^[a-z]+$/.test(token)
          ? known({ subject: token, scopes: token.startsWith("op") ? ["a2a:operator"] : [] })
          : invalid("no name"),
    }),
  },
});

beforeAll(async () => {
  server = await serve(agent({ name: "Worker", description: "Works", run: () => "done" }), {
    port: 0,
    store: "memory:",
    auth,
    audit: { record: (entry) => void audited.push(entry) },
    inspector: createInspector({ port: 0, host: "0.0.0.0", key, receiverPort: false }),
  });
});

afterAll(() => server.close());

async function knock(shown: object): Promise<{ status: number } & Partial<Session & Refused>> {
  const { origin, hash } = new URL(
    (server.inspector?.newLink() ?? "").replace("0.0.0.0", "127.0.0.1"),
  );
  const response = await fetch(`${origin}/api/session`, {
    method: "POST",
    headers: { "Content-Type": "application/json", Origin: origin },
    body: JSON.stringify({ code: hash.replace("#code=", ""), ...shown }),
  });
  return { status: response.status, ...((await response.json()) as Session & Refused) };
}

const bearer = (token: string): object => ({
  key,
  operator: { name: "Authorization", value: `Bearer ${token}` },
});

test("beside a server that knows its callers, other machines show the key and an operator", async () => {
  for (const shown of [
    {},
    { key },
    bearer("no name!"),
    { ...bearer("opal"), key: "another key" },
  ]) {
    expect([shown, (await knock(shown)).status]).toEqual([shown, 401]);
  }
  const asked = await knock({ key });
  expect(asked.error?.details?.metadata).toEqual({ needs: "operator" });
  const stranger = await knock(bearer("ada"));
  expect([stranger.status, stranger.error?.message]).toEqual([
    403,
    "these credentials lack the scope a2a:operator",
  ]);
  const wrong = await knock({ key, operator: "opal" });
  expect([wrong.status, wrong.error?.message]).toEqual([
    400,
    "operator has to have name and value",
  ]);
  expect(await knock(bearer("opal"))).toMatchObject({ status: 200, token: expect.any(String) });
});

test("writes are audited under the name of the operator", async () => {
  const { token } = await knock(bearer("opal"));
  const { origin } = new URL((server.inspector?.url ?? "").replace("0.0.0.0", "127.0.0.1"));
  const response = await fetch(`${origin}/api/dead/discard`, {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      Origin: origin,
      Authorization: `Bearer ${token}`,
    },
    body: JSON.stringify({ agent: "Worker" }),
  });
  expect(response.status).toBe(200);
  expect(audited).toContainEqual(
    expect.objectContaining({
      subject: "bearer#opal",
      reason: "the inspector discards all dead letters of Worker",
    }),
  );
});

test("a token whose name was changed is none", async () => {
  const { token = "" } = await knock(bearer("opal"));
  const [until, nonce, , signature] = token.split(".");
  const forged = [until, nonce, Buffer.from("opus").toString("base64url"), signature].join(".");
  const { origin } = new URL((server.inspector?.url ?? "").replace("0.0.0.0", "127.0.0.1"));
  const ask = async (one: string): Promise<number> =>
    (await fetch(`${origin}/api/capabilities`, { headers: { Authorization: `Bearer ${one}` } }))
      .status;
  expect(await ask(forged)).toBe(401);
  expect(await ask(token)).toBe(200);
});

test.runIf(browserHere.isThere)(
  `the page asks for the key, then for an operator, and says what is wrong, ${browserHere.name}`,
  async () => {
    await using browser = await openBrowser();
    const { page } = await browser.newPage();
    const link = server.inspector?.newLink() ?? "";
    await page.goto(link.replace("0.0.0.0", "127.0.0.1"));
    const enter = async (label: string, value: string): Promise<void> => {
      await page.getByLabel(label).fill(value);
      await page.getByLabel(label).press("Enter");
    };
    await enter("Key", "another key of its kind");
    await page.getByText("That is not the key").waitFor();
    await enter("Key", key);
    await page.getByText("Who are you?").waitFor();
    await expectAccessible(page, "the form of an operator");
    await enter("Credentials of an operator", "Bearer ada");
    await page.getByText("these credentials lack the scope a2a:operator").waitFor();
    await enter("Credentials of an operator", "Bearer opal");
    await byId(page, "backend", { status: "live" }).waitFor({ state: "attached" });
    expect(page.url()).not.toContain("opal");
  },
);
