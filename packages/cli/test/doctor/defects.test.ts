import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { serve } from "@parley/a2a/node";
import type { Server } from "@parley/a2a/node";
import { createMemoryStore } from "@parley/a2a/store/memory";
import { addSignature, signAgentCard } from "@parley/a2a/wire";
import { demoAgent } from "../../src/demo-agent.js";
import { diagnose } from "./diagnose.js";
import type { DiagnoseOptions } from "./diagnose.js";
import { openFront } from "./open-front.js";
import type { Defect, FrontAnswer, FrontRequest, Json } from "./open-front.js";

let servers: readonly Server[];

beforeAll(async () => {
  const open = (): Promise<Server> =>
    serve(demoAgent, { port: 0, store: createMemoryStore(), grpc: false });
  servers = [await open(), await open()];
});

afterAll(async () => {
  for (const server of servers) await server[Symbol.asyncDispose]();
});

/** The origin of fronts that are said to be public. */
const publicOrigin = "https://agent.example";

interface Case extends Defect, Pick<DiagnoseOptions, "message"> {
  readonly title: string;
  readonly check: string;
  readonly verdict: "error" | "warn";
  readonly fix: RegExp;
  /** The front is at `publicOrigin`. */
  readonly isPublic?: true;
  /** Both servers are behind the front, each with a store of its own. */
  readonly isDivided?: true;
  /** The origin of a web page; `origin` of a defect is that of the front. */
  readonly page?: string;
}

const bearer = {
  securitySchemes: { token: { httpAuthSecurityScheme: { scheme: "Bearer" } } },
  securityRequirements: [{ schemes: { token: { list: [] } } }],
};

function withCapabilities(card: Json, more: Json): Json {
  return { ...card, capabilities: { ...(card["capabilities"] as Json), ...more } };
}

function withInterface(card: Json, more: Json): Json {
  const [first] = card["supportedInterfaces"] as readonly Json[];
  return { ...card, supportedInterfaces: [{ ...first, ...more }] };
}

/** Answers calls of some methods with a JSON-RPC error. */
function refuse(code: number, ...methods: readonly string[]): NonNullable<Defect["answer"]> {
  return ({ rpc, id }) => {
    if (rpc === undefined || !methods.includes(rpc)) return undefined;
    const body = JSON.stringify({ jsonrpc: "2.0", id, error: { code, message: "No." } });
    return { status: 200, headers: { "Content-Type": "application/json" }, body };
  };
}

function unauthorized(headers: Record<string, string> = {}, status = 401) {
  return ({ rpc }: FrontRequest): FrontAnswer | undefined =>
    rpc === undefined ? undefined : { status, headers, body: "{}" };
}

const cases: readonly Case[] = [
  {
    title: "a proxy that holds streams back to their end",
    streams: "hold",
    message: "stream 4 200",
    check: "stream",
    verdict: "error",
    fix: /proxy_buffering off/,
  },
  {
    title: "a proxy that cuts streams in which nothing comes",
    streams: { idleMs: 250 },
    message: "wait 1",
    check: "stream",
    verdict: "error",
    fix: /proxy_read_timeout/,
  },
  {
    title: "a proxy that compresses streams",
    streams: "compress",
    check: "stream",
    verdict: "error",
    fix: /exclude text\/event-stream from compression/,
  },
  {
    title: "streaming that is declared and refused",
    answer: refuse(-32_004, "SendStreamingMessage"),
    check: "stream",
    verdict: "error",
    fix: /declare capabilities.streaming: false/,
  },
  {
    title: "streaming that is not declared",
    card: (card) => withCapabilities(card, { streaming: false }),
    check: "stream",
    verdict: "warn",
    fix: /declare capabilities.streaming: true/,
  },
  {
    title: "subscriptions that are refused",
    answer: refuse(-32_601, "SubscribeToTask"),
    message: "stream 4 200",
    check: "resume",
    verdict: "error",
    fix: /serve SubscribeToTask/,
  },
  {
    title: "servers that do not share a store",
    isDivided: true,
    message: "task a",
    check: "task-kept",
    verdict: "error",
    fix: /share one store/,
  },
  {
    title: "a card at the old path alone",
    cardPath: "/.well-known/agent.json",
    check: "card-found",
    verdict: "error",
    fix: /serve the same card at \/.well-known\/agent-card.json/,
  },
  {
    title: "a card of 0.2 without the old path",
    card: (card) => withInterface(card, { protocolVersion: "0.2" }),
    check: "card-old-path",
    verdict: "warn",
    fix: /serve the card at \/.well-known\/agent.json too/,
  },
  {
    title: "a card that is labelled as a page",
    cardHeaders: { "content-type": "text/html" },
    check: "card-media-type",
    verdict: "warn",
    fix: /Content-Type: application\/json/,
  },
  {
    title: "a card without caching",
    cardHeaders: { "cache-control": "", etag: "" },
    check: "card-caching",
    verdict: "warn",
    fix: /Cache-Control: max-age/,
  },
  {
    title: "a card without what its version requires",
    card: (card) => ({ ...card, description: undefined, defaultInputModes: undefined }),
    check: "card-fields",
    verdict: "error",
    fix: /add them; 1.0 requires these members/,
  },
  {
    title: "a binding that is spelt otherwise",
    card: (card) => withInterface(card, { protocolBinding: "jsonrpc" }),
    check: "card-interfaces",
    verdict: "error",
    fix: /write "JSONRPC"/,
  },
  {
    title: "a public card that leads to this machine",
    isPublic: true,
    card: (card) => withInterface(card, { url: "http://localhost:4100" }),
    check: "card-addresses",
    verdict: "error",
    fix: /--public-url https:\/\/agent.example/,
  },
  {
    title: "a card over https that leads to http",
    isPublic: true,
    card: (card) => withInterface(card, { url: "http://agent.example" }),
    check: "card-addresses",
    verdict: "error",
    fix: /declare https/,
  },
  {
    title: "a URL that nobody answers",
    card: (card) => withInterface(card, { url: "http://127.0.0.1:1" }),
    check: "answers",
    verdict: "error",
    fix: /correct the URL in the card/,
  },
  {
    title: "a REST interface at the URL of JSON-RPC",
    card: (card) => withInterface(card, { protocolBinding: "HTTP+JSON" }),
    answer: ({ path }) =>
      path === "/"
        ? undefined
        : { status: 404, headers: { "Content-Type": "text/html" }, body: "<p>" },
    check: "answers",
    verdict: "error",
    fix: /answers as JSONRPC 1.0: declare protocolBinding "JSONRPC"/,
  },
  {
    title: "a version that the server does not speak",
    answer: ({ rpc, id, ...rest }) =>
      refuse(-32_601, "GetTask", "SendMessage")({ ...rest, id, ...(rpc !== undefined && { rpc }) }),
    check: "answers",
    verdict: "error",
    fix: /answers as JSONRPC 0.3/,
  },
  {
    title: "a URL that redirects",
    answer: ({ path }) =>
      path === "/" ? { status: 308, headers: { Location: "/elsewhere" } } : undefined,
    check: "answers",
    verdict: "error",
    fix: /declare http:.*\/elsewhere in the card/,
  },
  {
    title: "versions that are not looked at",
    answer: ({ rpc, id, headers }) =>
      headers["a2a-version"] === "99.0"
        ? refuse(
            -32_001,
            "GetTask",
          )({ method: "POST", path: "/", headers, id, ...(rpc && { rpc }) })
        : undefined,
    check: "version-refused",
    verdict: "warn",
    fix: /VersionNotSupportedError/,
  },
  {
    title: "credentials that the card requires and the server does not",
    card: (card) => ({ ...card, ...bearer }),
    check: "authentication",
    verdict: "error",
    fix: /check credentials/,
  },
  {
    title: "credentials that the server requires and the card does not",
    answer: unauthorized({ "WWW-Authenticate": "Bearer" }),
    check: "authentication",
    verdict: "error",
    fix: /describe the scheme in securitySchemes/,
  },
  {
    title: "a refusal without a challenge",
    card: (card) => ({ ...card, ...bearer }),
    answer: unauthorized(),
    check: "authentication",
    verdict: "warn",
    fix: /WWW-Authenticate: Bearer/,
  },
  {
    title: "a challenge for another scheme",
    card: (card) => ({ ...card, ...bearer }),
    answer: unauthorized({ "WWW-Authenticate": "Negotiate" }),
    check: "authentication",
    verdict: "warn",
    fix: /WWW-Authenticate: Bearer/,
  },
  {
    title: "a stranger who is forbidden",
    card: (card) => ({ ...card, ...bearer }),
    answer: unauthorized({}, 403),
    check: "authentication",
    verdict: "warn",
    fix: /answer 401/,
  },
  {
    title: "a scheme that the card does not describe",
    card: (card) => ({ ...card, ...bearer, securitySchemes: {} }),
    answer: unauthorized({ "WWW-Authenticate": "Bearer" }),
    check: "card-security",
    verdict: "error",
    fix: /describe token in securitySchemes/,
  },
  {
    title: "push notifications that are declared and refused",
    answer: refuse(-32_003, "CreateTaskPushNotificationConfig"),
    message: "task a",
    check: "push",
    verdict: "error",
    fix: /declare capabilities.pushNotifications: false/,
  },
  {
    title: "push notifications that are not declared",
    card: (card) => withCapabilities(card, { pushNotifications: false }),
    message: "task a",
    check: "push",
    verdict: "warn",
    fix: /declare capabilities.pushNotifications: true/,
  },
  {
    title: "an extended card that is not there",
    card: (card) => withCapabilities(card, { extendedAgentCard: true }),
    check: "extended-card",
    verdict: "error",
    fix: /configure the extended card/,
  },
  {
    title: "keys of notifications that are not there",
    answer: ({ path }) => (path === "/.well-known/jwks.json" ? { status: 404 } : undefined),
    check: "push-keys",
    verdict: "error",
    fix: /let the proxy pass \/.well-known\/jwks.json on/,
  },
  {
    title: "pages that may read the card and may not call",
    cardHeaders: { "access-control-allow-origin": "*" },
    check: "pages",
    verdict: "error",
    fix: /answer OPTIONS at .* with Access-Control-Allow-Origin/,
  },
  {
    title: "a page of one's own that may not call",
    page: "https://app.example",
    check: "pages",
    verdict: "error",
    fix: /--cors https:\/\/app.example/,
  },
  {
    title: "a clock that is an hour behind",
    cardHeaders: { date: new Date(Date.now() - 3_600_000).toUTCString() },
    check: "clock",
    verdict: "warn",
    fix: /NTP/,
  },
];

/** A fetch for which the public origin is the front. */
function fetchAt(front: string) {
  return (url: string, init: RequestInit): Promise<Response> =>
    fetch(url.replace(publicOrigin, front), init);
}

async function diagnoseCase({ isPublic, isDivided, page, message, ...defect }: Case) {
  const upstreams = servers.slice(0, isDivided ? 2 : 1).map(({ url }) => url);
  await using front = await openFront(upstreams, {
    ...defect,
    ...(isPublic && { origin: publicOrigin }),
  });
  return await diagnose(isPublic ? publicOrigin : front.url, {
    ...(message !== undefined && { message }),
    ...(page !== undefined && { origin: page }),
    ...(isPublic && { connect: { fetch: fetchAt(front.url) } }),
  });
}

describe("the doctor", () => {
  it.each(cases)("finds $title, and says what to change", async (one) => {
    const diagnoses = await diagnoseCase(one);
    const found = diagnoses.find(({ check }) => check === one.check);
    expect({ verdict: found?.verdict, fix: found?.fix ?? found?.found }).toEqual({
      verdict: one.verdict,
      fix: expect.stringMatching(one.fix) as string,
    });
  });

  it("finds a signature that does not fit the card", async () => {
    const curve = { name: "ECDSA", namedCurve: "P-256" };
    const pair = await crypto.subtle.generateKey(curve, true, ["sign", "verify"]);
    const { kty, crv, x, y } = await crypto.subtle.exportKey("jwk", pair.publicKey);
    const keys = [{ kty, crv, x, y, kid: "k1", alg: "ES256" }];
    const jku = `${publicOrigin}/keys.json`;
    const how = { key: pair.privateKey, alg: "ES256", kid: "k1", jku } as const;
    let signature: Awaited<ReturnType<typeof signAgentCard>> | undefined;
    const judge = async (change: (card: Json) => Json) => {
      const defect: Defect = {
        origin: publicOrigin,
        card: (card) =>
          signature === undefined ? card : change(addSignature(card as never, signature)),
        answer: ({ path }) =>
          path === "/keys.json" ? { status: 200, body: JSON.stringify({ keys }) } : undefined,
      };
      await using front = await openFront([servers[0]?.url ?? ""], defect);
      const fetch = fetchAt(front.url);
      const card = await fetch(`${publicOrigin}/.well-known/agent-card.json`, {});
      signature ??= await signAgentCard((await card.json()) as never, how);
      const diagnoses = await diagnose(publicOrigin, { connect: { fetch }, sends: false });
      return diagnoses.find(({ check }) => check === "card-signature")?.verdict;
    };
    expect(await judge((card) => card)).toBe("ok");
    expect(await judge((card) => ({ ...card, name: "Another agent" }))).toBe("error");
  });

  it("finds nothing wrong with a proxy that passes everything on", async () => {
    await using front = await openFront([servers[0]?.url ?? ""], {});
    const diagnoses = await diagnose(front.url, { message: "stream 4 200" });
    const wrong = diagnoses.filter(({ verdict }) => verdict === "error" || verdict === "warn");
    expect(wrong).toEqual([]);
  });
});
