import { chmod, readFile } from "node:fs/promises";
import { join } from "node:path";
import { exportJWK, generateKeyPair } from "jose";
import { expect, it } from "vitest";
import {
  apiKey,
  createAuthenticator,
  hashKey,
  jwt,
  mutualTls,
  openIdConnect,
} from "@parley/a2a/auth";
import { agent } from "@parley/a2a/server";
import { addSignature, signAgentCard } from "@parley/a2a/wire";
import { clients } from "../support/auth/identity-provider/clients.js";
import { openIdentityProvider } from "../support/auth/identity-provider/open-identity-provider.js";
import { browse } from "../support/auth/identity-provider/user.js";
import { readTls } from "../support/files/tls.js";
import { openReceiver } from "../support/servers/open-receiver.js";
import { openServer } from "../support/servers/open-server.js";
import { describePage } from "./describe-page.js";
import { exampleTls, fetchFrom, openGateway } from "./gateway.js";
import { tokenOf } from "./machine-token.js";

const issuer = "https://id.example.com";
const audience = "https://agents.example.com/travel";

/** Says who calls; to book, it needs more. */
const travel = agent({
  name: "Travel",
  description: "Knows you",
  async *run({ text, caller, authRequired }) {
    if (text === "Book it") yield `${(await authRequired("Authorize at bank.example")).messageId}`;
    return `Hello ${caller?.subject}`;
  },
});

/** What a page finds in a browser, as far as a sign-in uses it; its storage outlives the page. */
const browser = (href: string): string => `
import { existsSync, readFileSync, writeFileSync } from "node:fs";
const kept = existsSync("session.json") ? JSON.parse(readFileSync("session.json", "utf8")) : {};
const keep = () => writeFileSync("session.json", JSON.stringify(kept));
globalThis.sessionStorage = {
  getItem: (name) => kept[name] ?? null,
  setItem: (name, value) => { kept[name] = value; keep(); },
  removeItem: (name) => { delete kept[name]; keep(); },
};
globalThis.history = { replaceState() {} };
globalThis.location = {
  href: ${JSON.stringify(href)},
  origin: "https://app.example.com",
  assign: (url) => { console.log("leaves for " + url); setInterval(() => {}, 1000); },
};
`;

describePage("docs/client-auth.md", (code) => {
  it("authenticates in every way that the page shows", async () => {
    const { client_secret: secret } = clients.machine;
    await using provider = await openIdentityProvider({
      audience,
      scopes: ["trips"],
      https: { ...exampleTls, issuer },
      moreClients: [
        { ...clients.machine, client_id: "reports" },
        { ...clients.application, client_id: "desktop" },
        {
          ...clients.application,
          client_id: "web",
          application_type: "web",
          redirect_uris: ["https://app.example.com/agent"],
        },
      ],
    });
    const hosts = { "id.example.com": fetchFrom(provider.port) };
    const { privateKey, publicKey } = await generateKeyPair("ES256", { extractable: true });
    const keySet = { keys: [{ ...(await exportJWK(publicKey)), kid: "k1", alg: "ES256" }] };
    const jku = "https://keys.example.com/jwks.json";
    const keys = [{ subject: "reports", hash: await hashKey("a key of this test") }];
    const verify = jwt({ issuer, audience, fetch: hosts["id.example.com"] });
    await using agents = await openServer({
      agent: { "/travel": travel },
      publicUrl: "https://agents.example.com",
      auth: createAuthenticator({
        schemes: {
          key: apiKey({ in: "header", name: "X-API-Key", keys }),
          sso: openIdConnect({ issuer, verify }),
        },
        requirements: [{ key: [] }, { sso: ["trips"] }],
      }),
      signCard: async (card) => {
        const how = { key: privateKey, alg: "ES256", kid: "k1", jku } as const;
        return addSignature(card, await signAgentCard(card, how));
      },
    });
    await using bank = await openServer({
      agent: travel,
      publicUrl: "https://bank.example.com",
      auth: createAuthenticator({ schemes: { mtls: mutualTls({ subject: "uri" }) } }),
      tls: { ...exampleTls, ca: readTls("client-ca-cert") },
    });
    await using gateway = await openGateway(() => agents.port);
    const card = await fetch(`${agents.url}/travel/.well-known/agent-card.json`);
    const cardText = await card.text();
    const token = await tokenOf(provider, audience);
    await using site = await openReceiver({
      tls: exampleTls,
      answer: (response, { path, headers }) => {
        if (headers.host === "vault.example.com") response.end(token);
        else if (path.startsWith("/.well-known/agent-card.json")) response.end(cardText);
        else if (headers.host === "keys.example.com") response.end(JSON.stringify(keySet));
        else response.writeHead(404).end();
      },
    });
    const peers = {
      "agents.example.com:443": gateway.port,
      "bank.example.com:443": bank.port,
      "example.com:443": site.port,
      "id.example.com:443": provider.port,
      "keys.example.com:443": site.port,
      "vault.example.com:443": site.port,
    };
    const files = {
      "client-cert.pem": readTls("ada-cert"),
      "client-key.pem": readTls("ada-key"),
      "xdg-open": '#!/bin/sh\nprintf %s "$1" > shown-in-browser\n',
      open: '#!/bin/sh\nprintf %s "$1" > shown-in-browser\n',
    };
    const { folder } = code();
    const env = {
      TRAVEL_KEY: "a key of this test",
      REPORTS_SECRET: secret,
      HOME: folder,
      PATH: `${folder}:${process.env["PATH"]}`,
    };
    await using page = await code().start("blocks", { peers, files, env });
    for (const name of ["xdg-open", "open"]) await chmod(join(folder, name), 0o755);
    const answers = (): string[] => page.stdout().match(/^Hello \S+$/gm) ?? [];
    await expect.poll(() => page.stdout() + page.stderr()).toContain("Enter ");
    const [, userCode = "", at = ""] = /Enter (\S+) at (\S+)/.exec(page.stdout()) ?? [];
    await browse(`${at}?user_code=${userCode}`, { hosts });
    const shown = () => readFile(join(folder, "shown-in-browser"), "utf8").catch(() => "");
    await expect.poll(shown).toContain("https://");
    await browse(await shown(), { hosts });
    await page.until(() => page.finished.has("blocks"));
    await expect.poll(() => page.stdout()).toContain("verified");
    expect(answers()).toEqual([
      "Hello key#reports",
      `Hello ${issuer}#reports`,
      `Hello ${issuer}#ada`,
      `Hello ${issuer}#ada`,
      `Hello ${issuer}#machine`,
      "Hello mtls#spiffe://example.com/ada",
    ]);

    await using leaving = await code().start("page", {
      peers,
      before: browser("https://app.example.com/"),
    });
    await expect.poll(() => leaving.stdout() + leaving.stderr()).toContain("leaves for ");
    const [, away = ""] = /leaves for (\S+)/.exec(leaving.stdout()) ?? [];
    const back = await browse(away, { hosts });
    const returned = await code().outputOf("page", { peers, before: browser(back.url) });
    expect(returned).toBe(`Hello ${issuer}#ada\n`);
  });
});
