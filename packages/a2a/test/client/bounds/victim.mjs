/**
 * A program that calls an agent it should not trust: `node victim.mjs '{"call":"task","url":"http://…"}'`. Prints how the
 * call ended and the most memory the program had, as JSON.
 */
import { connect } from "@parley/a2a/client";
import { clientCredentials } from "@parley/a2a/client/oauth";
import { createCardVerifier } from "@parley/a2a/client/signatures";
import { grpcTransports } from "@parley/a2a/grpc";

const { call, url, options, ...others } = JSON.parse(process.argv[2] ?? "{}");

const cardAt = (address, protocolBinding, protocolVersion = "1.0") => ({
  name: "Evil",
  description: "Answers with all it has",
  version: "1",
  capabilities: { streaming: true },
  defaultInputModes: [],
  defaultOutputModes: [],
  skills: [],
  supportedInterfaces: [{ url: address, protocolBinding, protocolVersion }],
  ...others.card,
});

const open = () => {
  const { binding = "JSONRPC", version } = others;
  return connect(cardAt(url, binding, version), { transports: grpcTransports(), ...options });
};

const calls = {
  card: () => connect(url, options),
  task: async () => (await open()).task("t"),
  send: async () => (await open()).send("hi", { returnImmediately: true }),
  text: async () => (await open()).text("hi"),
  async watch() {
    let seen = 0;
    for await (const _ of (await open()).watch("t")) seen += 1;
    return seen;
  },
  async token() {
    const oauth = clientCredentials({ issuer: url, clientId: "c", clientSecret: "s" });
    const flows = { clientCredentials: { tokenUrl: `${url}/token`, scopes: {} } };
    const card = {
      ...cardAt(url, "JSONRPC"),
      securitySchemes: { oauth: { oauth2SecurityScheme: { flows } } },
      securityRequirements: [{ schemes: { oauth: { list: [] } } }],
    };
    return (await connect(card, { credentials: { oauth } })).task("t");
  },
  async keys() {
    const { host } = new URL(url);
    const protection = JSON.stringify({ alg: "ES256", kid: "k", jku: `https://${host}/keys` });
    const signature = {
      protected: Buffer.from(protection).toString("base64url"),
      signature: "AAAA",
    };
    const verifyCard = createCardVerifier({
      keyHosts: [host],
      required: true,
      fetch: (_, init) => fetch(url, init),
    });
    return connect({ ...cardAt(url, "JSONRPC"), signatures: [signature] }, { verifyCard });
  },
};

let outcome;
try {
  outcome = { result: (await calls[call]()) ?? null };
} catch (error) {
  const { code, message, details } = error;
  outcome = { error: { code, message, details } };
}
const { maxRSS } = process.resourceUsage();
process.stdout.write(JSON.stringify({ ...outcome, megabytes: Math.round(maxRSS / 1024) }));
process.exit(0);
