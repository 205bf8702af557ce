import { expect, it } from "vitest";
import { connect } from "@parley/a2a/client";
import type { ConnectOptions, Secrets } from "@parley/a2a/client";
import { certificateFetch } from "@parley/a2a/client/node";
import { clients } from "../support/auth/identity-provider/clients.js";
import {
  opaqueResource,
  openIdentityProvider,
} from "../support/auth/identity-provider/open-identity-provider.js";
import { readTls } from "../support/files/tls.js";
import { describePage } from "./describe-page.js";
import { exampleTls } from "./gateway.js";
import { tokenOf } from "./machine-token.js";

const issuer = "https://id.example.com";
const audience = "https://agents.example.com/travel";

describePage("docs/auth.md", (code) => {
  it("opens servers that know their callers, as the page declares them", async () => {
    const scopes = ["trips"];
    await using provider = await openIdentityProvider({
      audience,
      scopes,
      https: { ...exampleTls, issuer },
    });
    await using page = await code().runBlocks({
      peers: { "id.example.com:443": provider.port },
      env: { CLIENT_SECRET: clients.resource.client_secret },
      files: {
        "server-key.pem": readTls("localhost-key"),
        "server-cert.pem": readTls("localhost-cert"),
        "client-ca.pem": readTls("client-ca-cert"),
      },
    });
    await expect.poll(() => page.stdout()).toContain("X-API-Key: ");
    const [, key = ""] = /X-API-Key: (\S+)/.exec(page.stdout()) ?? [];
    const at = (port: number): string => `127.0.0.1:${page.portFor(port)}`;
    const ask = async (url: string, options: ConnectOptions = {}): Promise<string> =>
      (await connect(url, options)).text("hi");

    const travel = `http://${at(4100)}`;
    await expect(ask(travel)).rejects.toThrow("authentication is required");
    await expect(ask(travel, { credentials: { key } })).rejects.toThrow("Where");

    using ada = certificateFetch({
      origin: `https://${at(4200)}`,
      key: readTls("ada-key"),
      cert: readTls("ada-cert"),
      ca: readTls("localhost-cert"),
    });
    const certified = { fetch: ada, credentials: {} };
    await expect(ask(`https://${at(4200)}`, certified)).rejects.toThrow("Where");

    const desk = await connect(`http://${at(4400)}`, { credentials: { key } });
    const extended = await desk.extendedCard();
    expect(extended.description).toBe(
      "Answers questions about trips, and changes them for key#reports",
    );
    expect(extended.skills.map(({ id }) => id)).toEqual(["desk", "refund"]);

    const several = `http://${at(4300)}`;
    expect(await ask(`${several}/demo`)).toBe("Demo for undefined");
    const token = await tokenOf(provider, audience);
    expect(await ask(`${several}/staff`, { credentials: { oidc: token } })).toBe(
      `Staff for ${issuer}#machine`,
    );
    const password = { username: "ada", password: "correct horse battery staple" };
    expect(await ask(`${several}/staff`, { credentials: { password, key } })).toBe(
      "Staff for password#ada",
    );
    const partner = (credentials: Secrets): Promise<string> =>
      ask(`${several}/partners`, { credentials });
    for (const scheme of ["signed", "booking"]) {
      expect(await partner({ [scheme]: token })).toBe(`Partners for ${issuer}#machine`);
    }
    expect(await partner({ ours: key })).toBe("Partners for ours#reports");
    expect(await partner({ tickets: "paper-ticket-7" })).toBe("Partners for tickets#grace");
    await expect(partner({ tickets: "paper-ticket-8" })).rejects.toThrow("not valid");
    const opaque = await tokenOf(provider, opaqueResource);
    await expect(partner({ opaque })).rejects.toThrow("not valid");
    expect(provider.requests).toContain("POST /token/introspection");
  });
});
