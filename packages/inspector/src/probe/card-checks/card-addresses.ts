import type { AgentInterface } from "@parley/a2a";
import { parseUrl } from "../parse-url.js";
import type { CardCheck } from "../check.js";
import { broken, ok, skipped, warn } from "../finding.js";
import type { Finding } from "../finding.js";

/** The addresses in the card lead callers elsewhere to the agent. */
export const cardAddresses: CardCheck = {
  name: "card-addresses",
  proves: "The URLs in the card are absolute, and lead callers who found the card to the agent.",
  run({ target }) {
    const { supportedInterfaces } = target.card;
    if (target.cardUrl === undefined) return skipped("the card was given as a file");
    const from = new URL(target.cardUrl);
    const problems = supportedInterfaces.flatMap((one) => problemOf(one, from) ?? []);
    const [worst] = [...problems].sort((a, b) => rank(a) - rank(b));
    if (worst !== undefined) return worst;
    const others = supportedInterfaces.filter((one) => hostOf(one)?.hostname !== from.hostname);
    if (others.length === 0) return ok(`all ${supportedInterfaces.length} are on ${from.hostname}`);
    return warn(
      `the card comes from ${from.hostname} and leads to ${others.map(({ url }) => url).join(", ")}`,
      `clients send credentials only to the origin of the card; serve the card there too, or declare URLs on ${from.hostname}`,
    );
  },
};

function rank({ verdict }: Finding): number {
  return verdict === "error" ? 0 : 1;
}

function problemOf(one: AgentInterface, from: URL): Finding | undefined {
  const address = hostOf(one);
  if (address === undefined) {
    return broken(
      `the interface ${one.protocolBinding} has the URL ${JSON.stringify(one.url)}, which is not absolute`,
      `declare the whole URL, such as ${from.origin}/`,
    );
  }
  if (isLocal(address.hostname) && !isLocal(from.hostname)) {
    return broken(
      `the card is on ${from.hostname}, and sends callers of ${one.protocolBinding} to ${one.url}, their own machine`,
      `set the public URL of the agent, such as ${from.origin} (for Parley: --public-url ${from.origin})`,
    );
  }
  if (isUnspecified(address.hostname)) {
    return broken(
      `${one.url} is the address on which the server listens, not one that callers reach`,
      `set the public URL of the agent, such as ${from.origin} (for Parley: --public-url ${from.origin})`,
    );
  }
  if (from.protocol === "https:" && address.protocol === "http:") {
    return broken(
      `the card came over https, and sends callers of ${one.protocolBinding} to ${one.url} in the clear`,
      `declare https; behind a proxy that ends TLS, tell the server its public URL (for Parley: --public-url ${from.origin})`,
    );
  }
  return undefined;
}

/** The parts of an interface's address. gRPC's are often a host and a port without a scheme. */
function hostOf({ url, protocolBinding }: AgentInterface): URL | undefined {
  const isBare = protocolBinding === "GRPC" && !url.includes("://");
  const text = isBare ? `grpc://${url}` : url;
  const address = parseUrl(text);
  return address === undefined || address.hostname === "" ? undefined : address;
}

function isLocal(host: string): boolean {
  return /^(?:localhost|.*\.localhost|127(?:\.\d+){3}|\[::1\])$/.test(host);
}

function isUnspecified(host: string): boolean {
  return host === "0.0.0.0" || host === "[::]";
}
