import { A2AError } from "@parley/a2a";
import type { AgentCard } from "@parley/a2a";
import { connect } from "@parley/a2a/client";
import type { ConnectOptions, RemoteAgent } from "@parley/a2a/client";
import { whyRefused } from "./describe-interfaces.js";
import type { InterfaceTerms } from "./describe-interfaces.js";

/**
 * Connects to the first interface of a card that may be called. Secrets are for the card's origin; another port of its host, as gRPC
 * has one, gets them too.
 */
export async function connectTo(
  card: AgentCard,
  given: ConnectOptions,
  terms: InterfaceTerms,
): Promise<RemoteAgent> {
  const reasons = card.supportedInterfaces.map((one) => whyRefused(one, terms));
  const callable = card.supportedInterfaces.filter((_, index) => reasons[index] === undefined);
  if (callable.length === 0 && reasons.length > 0) {
    const message = `the card has no interface that can be called: ${reasons.join("; ")}`;
    throw new A2AError("VERSION_NOT_SUPPORTED", message);
  }
  const reduced = { ...card, supportedInterfaces: callable };
  const agent = await connect(reduced, given);
  const { credentialsOrigin = "" } = given;
  const isOtherPort = agent.binding === "GRPC" && hostOf(agent.url) === hostOf(credentialsOrigin);
  return isOtherPort ? connect(reduced, { ...given, credentialsOrigin: agent.url }) : agent;
}

function hostOf(address: string): string | undefined {
  const url = /^\w+:\/\//.test(address) ? address : `grpc://${address}`;
  return URL.canParse(url) ? new URL(url.replace(/^\w+:/, "http:")).hostname : undefined;
}
