import { execFile } from "node:child_process";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { ChannelCredentials } from "@grpc/grpc-js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AgentCard } from "@parley/a2a";
import { connect } from "@parley/a2a/client";
import type { ConnectOptions, SendOptions } from "@parley/a2a/client";
import { certificateFetch } from "@parley/a2a/client/node";
import { grpcTransports } from "@parley/a2a/grpc";
import type { Server } from "@parley/a2a/node";
import { authenticatorOf } from "../support/auth/authenticator-of.js";
import { openDemo } from "../support/servers/open-demo.js";
import { bareCard } from "./bare-card.js";
import { readTls, tlsPath } from "../support/files/tls.js";
import { verifies } from "../spec/verifies.js";

const impatient = { maxAttempts: 1, maxReconnects: 0 };

/** What servers have heard of callers' secrets. */
let heard: (string | undefined)[] = [];
const auth = authenticatorOf(async (credentials) => {
  heard.push(credentials.header("x-key") ?? credentials.header("authorization") ?? undefined);
  return { subject: "ada" };
});

describe("a server of ours with TLS", () => {
  let server: Server;
  let cert: Buffer;
  beforeAll(async () => {
    cert = readTls("localhost-cert");
    const tls = { key: readTls("localhost-key"), cert };
    server = await openDemo({ auth, grpc: { port: 0, inCard: true }, tls });
  });
  afterAll(() => server.close());

  it.each(["1.0", "0.3"])(
    "is called over gRPC in %s by its URL alone, in a process that trusts its certificate",
    async (version) => {
      heard = [];
      const script = `
        import { connect } from "@parley/a2a/client";
        import { grpcTransports } from "@parley/a2a/grpc";
        const [, url, version, credentialsOrigin] = process.argv;
        const options = { transports: grpcTransports(), bindings: ["GRPC"], versions: [version] };
        const open = await connect(url, options);
        const texts = [await open.text("echo hello")];
        const headers = { "X-Key": "hush" };
        const secret = await connect(url, { ...options, headers, credentialsOrigin });
        texts.push(await secret.text("echo again"));
        console.log(JSON.stringify([secret.binding, secret.version, secret.url, ...texts]));
        process.exit();`;
      const address = server.grpcAddress ?? "";
      const args = ["--input-type=module", "--eval", script, server.url, version, address];
      const trusted = tlsPath("localhost-cert");
      const { stdout } = await promisify(execFile)(process.execPath, args, {
        cwd: fileURLToPath(new URL(".", import.meta.url)),
        env: {
          ...process.env,
          NODE_EXTRA_CA_CERTS: trusted,
          GRPC_DEFAULT_SSL_ROOTS_FILE_PATH: trusted,
        },
      });
      expect(server.url).toMatch(/^https:/);
      expect(JSON.parse(stdout)).toEqual(["GRPC", version, address, "hello", "again"]);
      expect(heard).toEqual([undefined, "hush"]);
    },
  );

  it("is not called by who does not trust its certificate, unless it is given one that does", async () => {
    using fetch = certificateFetch({ origin: server.url, ca: cert.toString() });
    const options: ConnectOptions = { fetch, bindings: ["GRPC"], patience: impatient };
    const wary = await connect(server.url, { ...options, transports: grpcTransports() });
    await expect(wary.text("echo hello")).rejects.toMatchObject({
      code: "UNAVAILABLE",
      message: expect.stringMatching(
        /^\S+ could not be reached: .*certificate; give the authority that you trust: grpcTransports/,
      ) as string,
    });
    const transports = grpcTransports({ credentials: ChannelCredentials.createSsl(cert) });
    const trusting = await connect(server.url, { ...options, transports });
    expect(await trusting.text("echo hello")).toBe("hello");
  });
});

const cardAt = (url: string): AgentCard =>
  bareCard(url, "GRPC", {
    securitySchemes: { key: { apiKeySecurityScheme: { location: "header", name: "X-Key" } } },
    securityRequirements: [{ schemes: { key: {} } }],
  });

interface Listener extends AsyncDisposable {
  readonly port: number;
  /** How each connection begins. */
  readonly spoken: string[];
}

/** Hears how it is spoken to, and hangs up. */
async function openListener(): Promise<Listener> {
  const spoken: string[] = [];
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.once("data", (data) => {
      const isHandshake = data[0] === 0x16;
      spoken.push(isHandshake ? "TLS" : data.toString("latin1").slice(0, 3));
      socket.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    spoken,
    [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

describe("a card from a URL", () => {
  const insecure = {
    transports: grpcTransports({ credentials: ChannelCredentials.createInsecure() }),
  };
  const headers = { "X-Key": "hush" };
  const plain = "PRI";
  const mismatch = /^the credentials are for https:\S+ and are not sent to http:/;
  const elsewhere = /^the credentials are for \S+ and are not sent to dns:/;

  it.each<[string, string, string, ConnectOptions, string | RegExp]>([
    ["https:", "an address alone", "", {}, "TLS"],
    ["https:", "an address alone, and secrets", "", { headers }, "TLS"],
    ["https:", "grpcs://", "grpcs://", { headers }, "TLS"],
    ["https:", "grpc://", "grpc://", {}, plain],
    ["https:", "grpc://, and secrets", "grpc://", { headers }, mismatch],
    ["https:", "http://, and secrets", "http://", { headers }, mismatch],
    ["https:", "an address alone, and channel credentials", "", insecure, plain],
    [
      "https:",
      "a host to ask for it, and secrets for that",
      "dns://127.0.0.1/",
      { headers, credentialsOrigin: "https://127.0.0.1" },
      elsewhere,
    ],
    ["https:", "a list of addresses, and secrets", "dns:1,", { headers }, elsewhere],
    ["http:", "an address alone", "", {}, plain],
    ["http:", "an address alone, and secrets", "", { headers }, plain],
    [
      "http:",
      "an address alone, and secrets for an origin with TLS",
      "",
      { headers, credentialsOrigin: "https://localhost:PORT" },
      mismatch,
    ],
    [
      "http:",
      "an address alone, and secrets for it",
      "",
      { headers, credentialsOrigin: "localhost:PORT" },
      plain,
    ],
    [
      "http:",
      "dns:///, and secrets for an origin with TLS",
      "dns:///",
      { headers, credentialsOrigin: "https://localhost:PORT" },
      elsewhere,
    ],
    [
      "https:",
      "dns:///, and secrets for it",
      "dns:///",
      { headers, credentialsOrigin: "dns:///localhost:PORT" },
      "TLS",
    ],
    ["http:", "https://", "https://", {}, "TLS"],
    ["http:", "grpcs://", "grpcs://", {}, "TLS"],
  ])("%s with %s", async (...[protocol, , scheme, options, outcome]) => {
    await using listener = await openListener();
    const host = `localhost:${listener.port}`;
    const card = cardAt(`${scheme}${host}`);
    const credentialsOrigin = options.credentialsOrigin?.replace("PORT", `${listener.port}`);
    const agent = await connect(`${protocol}//${host}`, {
      transports: grpcTransports(),
      fetch: async () => Response.json(card),
      patience: impatient,
      ...options,
      ...(credentialsOrigin !== undefined && { credentialsOrigin }),
    });
    const failure: unknown = await agent.text("hi").catch((error: unknown) => error);
    if (typeof outcome === "string") {
      expect(failure).toMatchObject({ code: "UNAVAILABLE" });
      expect(new Set(listener.spoken)).toEqual(new Set([outcome]));
    } else {
      expect(failure).toMatchObject({ message: expect.stringMatching(outcome) as string });
      expect(listener.spoken).toEqual([]);
    }
  });
});

describe("a card of nobody knows where, with an address beyond this machine that says nothing of TLS", () => {
  let server: Server;
  let address: string;
  beforeAll(async () => {
    server = await openDemo({ auth, grpc: { port: 0, inCard: true } });
    // Leads to this machine, but is not an address of its own.
    address = `0.0.0.0:${server.grpcAddress?.split(":").at(-1)}`;
  });
  afterAll(() => server.close());

  const call = async (
    url: string,
    options: ConnectOptions,
    send: SendOptions = {},
  ): Promise<readonly (string | undefined)[]> => {
    heard = [];
    const agent = await connect(cardAt(url), {
      transports: grpcTransports(),
      patience: impatient,
      ...options,
    });
    expect(await agent.text("echo hi", send)).toBe("hi");
    return heard;
  };

  it.each<[string, ConnectOptions, SendOptions?]>([
    ["credentials", { credentials: { key: "hush" } }],
    ["headers", { headers: { "X-Key": "hush" } }],
    ["headers of the transport", { transports: grpcTransports({ headers: () => ({}) }) }],
    ["a header of one call", {}, { serviceParameters: { Authorization: "Bearer hush" } }],
  ])("gets nothing in plaintext that is given as %s", async (_, options, send) => {
    verifies("security:credentials-encrypted");
    const refused = call(address, options, send);
    await expect(refused).rejects.toMatchObject({
      code: "PERMISSION_DENIED",
      message:
        `credentials and headers are not sent to ${address}, since nothing says that plaintext is intended: let ` +
        `the card say grpcs://${address} (TLS) or grpc://${address} (plaintext), or give ChannelCredentials`,
    });
    expect(heard).toEqual([]);
  });

  it("gets them when the card or the caller says how it is spoken to", async () => {
    const credentials = { key: "hush" };
    expect(await call(`grpc://${address}`, { credentials })).toEqual(["hush"]);
    const transports = grpcTransports({ credentials: ChannelCredentials.createInsecure() });
    expect(await call(address, { credentials, transports })).toEqual(["hush"]);
    expect(await call(server.grpcAddress ?? "", { credentials })).toEqual(["hush"]);
  });

  it("is called in plaintext without them", async () => {
    expect(await call(address, {})).toEqual([undefined]);
  });
});
