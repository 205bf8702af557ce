import type { AgentCard, SecurityScheme } from "../protocol/internal.js";

/** An agent as a page shows it: what its public card says, and nothing else. */
export interface CallTarget {
  /** Where callers reach the agent, also those who cannot name a tenant. */
  readonly url: string;
  /** The tenant that callers have to name, if the URL does not. */
  readonly tenant: string | undefined;
  readonly card: AgentCard;
}

/** Stands for a secret that the reader has. */
const blank = "…";

/** A line for a shell that sends a message to the agent. */
export function curlSample({ card, url, tenant }: CallTarget): string {
  // A server answers a message with a known id as it did before, so each page has an id of its own.
  const messageId = crypto.randomUUID().slice(0, 8);
  const message = { messageId, role: "ROLE_USER", parts: [{ text: exampleOf(card) }] };
  const params = tenant === undefined ? { message } : { tenant, message };
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "SendMessage", params });
  const needed = requiredSchemes(card).map(([, scheme]) => presented(scheme));
  const headers = [
    "Content-Type: application/json",
    "A2A-Version: 1.0",
    ...needed.flatMap(({ header = [] }) => header),
  ];
  const query = needed.flatMap(({ query: name = [] }) => name).map((name) => `${name}=${blank}`);
  return [
    "curl -sS",
    shellQuoted([url, query.join("&")].filter((part) => part !== "").join("?")),
    ...headers.map((header) => `-H ${shellQuoted(header)}`),
    ...needed.flatMap(({ options = [] }) => options),
    `-d ${shellQuoted(body)}`,
  ].join(" ");
}

/** Lines of TypeScript that send a message to the agent. */
export function connectSample({ card, url }: CallTarget): string {
  const secrets = requiredSchemes(card).flatMap(([name, scheme]) => {
    const { secret } = presented(scheme);
    return secret === undefined ? [] : `${memberName(name)}: ${secret}`;
  });
  const options = secrets.length === 0 ? "" : `, { credentials: { ${secrets.join(", ")} } }`;
  return `import { connect } from "@parley/a2a/client";
const agent = await connect(${JSON.stringify(url)}${options});
console.log(await agent.text(${JSON.stringify(exampleOf(card))}));`;
}

function exampleOf({ skills }: AgentCard): string {
  return skills.find(({ examples = [] }) => examples.length > 0)?.examples?.[0] ?? "Hello";
}

/** The schemes of the first way to authenticate that the card names; none if callers may be anonymous. */
function requiredSchemes(card: AgentCard): readonly (readonly [string, SecurityScheme])[] {
  const { securityRequirements = [], securitySchemes = {} } = card;
  const ways = securityRequirements.map(({ schemes }) => Object.keys(schemes));
  const [first = []] = ways.some((names) => names.length === 0) ? [] : ways;
  return first.flatMap((name) => {
    const scheme = securitySchemes[name];
    return scheme === undefined ? [] : [[name, scheme] as const];
  });
}

/** Where a credential goes in a request, and what `connect` takes for it. */
interface Presented {
  readonly header?: string;
  /** The parameter of the URL that has the credential. */
  readonly query?: string;
  /** Options of curl. */
  readonly options?: string;
  /** TypeScript; absent for a credential that belongs to the connection. */
  readonly secret?: string;
}

const token = JSON.stringify(blank);

function presented(scheme: SecurityScheme): Presented {
  if (scheme.apiKeySecurityScheme) {
    const { location, name } = scheme.apiKeySecurityScheme;
    if (location === "query") return { query: encodeURIComponent(name), secret: token };
    const header = location === "cookie" ? `Cookie: ${name}=${blank}` : `${name}: ${blank}`;
    return { header, secret: token };
  }
  if (scheme.mtlsSecurityScheme) return { options: "--cert client.pem --key client-key.pem" };
  const kind = scheme.httpAuthSecurityScheme?.scheme ?? "Bearer";
  if (kind.toLowerCase() !== "basic") {
    const shown = `${kind.slice(0, 1).toUpperCase()}${kind.slice(1)}`;
    return { header: `Authorization: ${shown} ${blank}`, secret: token };
  }
  return {
    options: `-u ${shellQuoted(`${blank}:${blank}`)}`,
    secret: `{ username: ${token}, password: ${token} }`,
  };
}

function memberName(name: string): string {
  return /^[a-z_$][\w$]*$/i.test(name) ? name : JSON.stringify(name);
}

function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
