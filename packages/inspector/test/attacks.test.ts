import { connect as connectSocket } from "node:net";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createInspector } from "@parley/inspector";
import { openTestPage } from "./support/inspector-client.js";
import type { TestPage } from "./support/inspector-client.js";
import { sendExactly } from "./support/send-exactly.js";
import type { Sent } from "./support/send-exactly.js";

let page: TestPage;
let pages: string;
/** How far the inspector's clock is ahead. */
let passedMs = 0;

beforeAll(async () => {
  const { mkdirSync, writeFileSync } = await import("node:fs");
  pages = mkdtempSync(join(tmpdir(), "parley-page-"));
  mkdirSync(join(pages, "assets"));
  writeFileSync(join(pages, "index.html"), "<!doctype html><title>Inspector</title>");
  writeFileSync(join(pages, "assets", "main-1.js"), "export {};");
  page = await openTestPage({
    pageFolder: pages,
    now: () => Date.now() + passedMs,
  });
});

afterAll(async () => {
  await page[Symbol.asyncDispose]();
  rmSync(pages, { recursive: true });
});

const send = (sent: Sent): ReturnType<typeof sendExactly> => sendExactly(page.inspector.port, sent);
const own = (): Record<string, string> => ({ Authorization: `Bearer ${page.token}` });
const json = (): Record<string, string> => ({
  "Content-Type": "application/json",
  Origin: page.origin,
});
const code = (): string => new URL(page.inspector.newLink()).hash.replace("#code=", "");

test.each(["/", "/assets/main-1.js", "/tasks/1", "/api/capabilities", "/api/events", "/preview/x"])(
  "answers %s for its own host only",
  async (path) => {
    for (const host of [
      "evil.example",
      `evil.example:${page.inspector.port}`,
      "127.0.0.1:1",
      "localhost",
      `127.0.0.1.evil.example:${page.inspector.port}`,
    ]) {
      const { status } = await send({ path, headers: { Host: host, ...own() } });
      expect([host, status]).toEqual([host, 421]);
    }
  },
);

test("sends its policy with every answer, and never lets another origin in", async () => {
  for (const path of ["/", "/assets/main-1.js", "/api/capabilities", "/none.js", "/api/none"]) {
    const { headers } = await send({ path, headers: { ...own(), Origin: page.origin } });
    const policy = String(headers["content-security-policy"]);
    expect(policy).toContain(
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'",
    );
    expect(policy).toContain(
      "frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
    );
    expect(headers).toMatchObject({
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      "cross-origin-opener-policy": "same-origin",
    });
    expect(Object.keys(headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
    expect(headers["set-cookie"]).toBeUndefined();
  }
});

test.each(["https://evil.example", "null", "http://127.0.0.1:1", ""])(
  "refuses what a page of the origin %j sends",
  async (origin) => {
    const headers = { ...own(), ...json(), Origin: origin };
    const refused = await send({ path: "/api/connections", method: "POST", headers, body: "{}" });
    expect(refused.status).toBe(403);
    const session = await send({
      path: "/api/session",
      method: "POST",
      headers: { ...json(), Origin: origin },
      body: JSON.stringify({ code: code() }),
    });
    expect(session.status).toBe(403);
  },
);

test("refuses a write that names no origin, and whatever a browser says comes from another site", async () => {
  const { Origin: _, ...noOrigin } = json();
  expect(
    (
      await send({
        path: "/api/connections",
        method: "POST",
        headers: { ...own(), ...noOrigin },
        body: "{}",
      })
    ).status,
  ).toBe(403);
  for (const site of ["cross-site", "same-site", "none"]) {
    const { status } = await send({
      path: "/api/capabilities",
      headers: { ...own(), "Sec-Fetch-Site": site },
    });
    expect([site, status]).toEqual([site, 403]);
  }
});

test.each([
  "text/plain",
  "application/x-www-form-urlencoded",
  "multipart/form-data; boundary=x",
  "application/jsonx",
])("refuses a body of the type %s, which a form can send", async (type) => {
  const headers = { ...own(), ...json(), "Content-Type": type };
  expect(
    (await send({ path: "/api/connections", method: "POST", headers, body: "{}" })).status,
  ).toBe(415);
});

test("takes a code once, for five minutes, and no other", async () => {
  const exchange = async (given: string): Promise<number> =>
    (
      await send({
        path: "/api/session",
        method: "POST",
        headers: json(),
        body: JSON.stringify({ code: given }),
      })
    ).status;
  const once = code();
  expect(await exchange(once)).toBe(200);
  expect(await exchange(once)).toBe(401);
  expect(await exchange("guessed")).toBe(401);
  const old = code();
  passedMs = 5 * 60_000 + 1;
  expect(await exchange(old)).toBe(401);
  passedMs = 0;
});

test("takes a token from the Authorization header, and from nowhere else", async () => {
  const [until = "", nonce = "", signature = ""] = page.token.split(".");
  const attempts: Sent[] = [
    { path: "/api/capabilities" },
    { path: `/api/capabilities?token=${page.token}` },
    { path: `/api/capabilities?access_token=${page.token}` },
    { path: "/api/capabilities", headers: { Cookie: `token=${page.token}` } },
    { path: "/api/capabilities", headers: { Authorization: `Basic ${page.token}` } },
    { path: "/api/capabilities", headers: { Authorization: `Bearer ${page.token}x` } },
    {
      path: "/api/capabilities",
      headers: { Authorization: `Bearer zzzzzzzzzz.${nonce}.${signature}` },
    },
    { path: "/api/capabilities", headers: { Authorization: `Bearer ${until}.${nonce}.` } },
    { path: "/api/none" },
  ];
  for (const attempt of attempts)
    expect([attempt, (await send(attempt)).status]).toEqual([attempt, 401]);
});

test.each([
  "/../package.json",
  "/..%2fpackage.json",
  "/%2e%2e/%2e%2e/etc/passwd.json",
  "/assets/..%5c..%5cpackage.json",
  "/assets/%00.js",
  "//etc/passwd.json",
  "/%ff.js",
])("serves no file above its folder: %s", async (path) => {
  const { status, text } = await send({ path });
  expect(status).toBe(404);
  expect(text).not.toContain('"name"');
});

test("bounds the body of a stranger, and of a guest", async () => {
  const large = JSON.stringify({ code: "x".repeat(20_000) });
  expect(
    (await send({ path: "/api/session", method: "POST", headers: json(), body: large })).status,
  ).toBe(413);
  const { status } = await send({
    path: "/api/connections",
    method: "POST",
    headers: {
      ...json(),
      Authorization: "Bearer none",
      "Content-Length": String(1024 ** 3),
      Connection: "close",
    },
    body: "",
  }).catch(() => ({ status: 401 }));
  expect(status).toBe(401);
});

test("ends a connection that sends two hosts", async () => {
  const answer = await new Promise<string>((resolve) => {
    const socket = connectSocket(page.inspector.port, "127.0.0.1");
    let text = "";
    socket.on("data", (chunk) => (text += chunk.toString()));
    socket.on("close", () => resolve(text));
    socket.write(
      `GET / HTTP/1.1\r\nHost: 127.0.0.1:${page.inspector.port}\r\nHost: evil.example\r\n\r\n`,
    );
  });
  expect(answer).toMatch(/^HTTP\/1\.1 400 /);
});

test("bounds connections and readers of the feed", async () => {
  const leave = new AbortController();
  const { signal } = leave;
  const statuses = await Promise.all(
    Array.from({ length: 40 }, async () => (await page.request("events", { signal })).status),
  );
  leave.abort();
  expect(statuses).toContain(429);
  expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(32);
  await expect
    .poll(async () => (await page.request("events", { signal: AbortSignal.timeout(500) })).status)
    .toBe(200);
});

test("is not opened to other machines without a key, and asks for it", async () => {
  expect(() => createInspector({ host: "0.0.0.0" })).toThrow("give a key");
  expect(() => createInspector({ host: "0.0.0.0", key: "short" })).toThrow("16 characters");
  const key = "a key of many characters";
  await using open = await createInspector({
    host: "0.0.0.0",
    port: 0,
    key,
    receiverPort: false,
  }).open();
  const origin = `http://127.0.0.1:${open.port}`;
  const given = new URL(open.newLink()).hash.replace("#code=", "");
  const exchange = (body: object): Promise<Response> =>
    fetch(`${origin}/api/session`, {
      method: "POST",
      headers: { "Content-Type": "application/json", Origin: origin },
      body: JSON.stringify(body),
    });
  const asked = await exchange({ code: given });
  expect(asked.status).toBe(401);
  expect(await asked.json()).toMatchObject({ error: { details: { metadata: { needs: "key" } } } });
  expect((await exchange({ code: given, key: "another key of its kind" })).status).toBe(401);
  expect((await exchange({ code: given, key })).status).toBe(200);
});

test("changes nothing on GET", async () => {
  const before = JSON.stringify(await page.ask("connections"));
  for (const path of [
    "session",
    "connections/c1/call",
    "connections/c1/fault",
    "dead/revive",
    "nodes/n/release",
  ]) {
    const { status } = await send({ path: `/api/${path}`, headers: own() });
    expect([path, status === 404 || status === 405]).toEqual([path, true]);
  }
  expect(JSON.stringify(await page.ask("connections"))).toBe(before);
});
