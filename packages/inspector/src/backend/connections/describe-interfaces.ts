import type { AgentCard, AgentInterface } from "@parley/a2a";
import type { ConnectionRequest, InterfaceReport } from "../../contract/index.js";
import { bindings, versions } from "./parse-request.js";

/** What is known of the interface that the client has chosen. */
export interface Chosen {
  readonly url: string;
  readonly binding: string;
  readonly version: string;
}

/** What decides whether an interface may be called. */
export interface InterfaceTerms extends Pick<ConnectionRequest, "version" | "binding"> {
  /** False where agents are called without a socket. */
  readonly hasGrpc: boolean;
}

/** Every interface of a card, and why the client calls it or does not. */
export function describeInterfaces(
  card: AgentCard,
  chosen: Chosen,
  wanted: InterfaceTerms,
): readonly InterfaceReport[] {
  let isFound = false;
  return card.supportedInterfaces.map((one) => {
    const version = majorMinorOf(one);
    const isChosen =
      !isFound &&
      one.url === chosen.url &&
      one.protocolBinding === chosen.binding &&
      version === chosen.version;
    isFound ||= isChosen;
    return {
      url: one.url,
      binding: one.protocolBinding,
      version: one.protocolVersion,
      isChosen,
      reason: isChosen
        ? whyChosen(wanted)
        : (whyRefused(one, wanted) ?? "another one comes first in the card"),
    };
  });
}

function whyChosen({ version, binding }: Pick<ConnectionRequest, "version" | "binding">): string {
  const forced = [version, binding].filter((one) => one !== undefined);
  if (forced.length > 0) return `the first of the card in ${forced.join(" over ")}, as you asked`;
  return "the first of the card that this client speaks";
}

/** Why the client cannot, or may not, call an interface; `undefined` if it could. */
export function whyRefused(
  one: AgentInterface,
  { version, binding, hasGrpc }: InterfaceTerms,
): string | undefined {
  const { protocolBinding, url } = one;
  const spoken = majorMinorOf(one);
  if (!bindings.some((known) => known === protocolBinding)) {
    return `the client does not speak the binding ${protocolBinding}`;
  }
  if (!versions.some((known) => known === spoken)) {
    return `the client does not speak version ${one.protocolVersion}`;
  }
  if (protocolBinding === "GRPC" && !hasGrpc) {
    return "beside a server, its agents are called without a socket, so that there is no gRPC";
  }
  if (!isCallable(one)) return `${url} is no address that can be called over ${protocolBinding}`;
  if (binding !== undefined && binding !== protocolBinding) return `you asked for ${binding}`;
  if (version !== undefined && version !== spoken) return `you asked for version ${version}`;
  return undefined;
}

/** Whether an address is one of the network: a card may say anything, such as `file:`. */
function isCallable({ url, protocolBinding }: AgentInterface): boolean {
  if (protocolBinding === "GRPC")
    return !/^[a-z][\w+.-]*:\/\//i.test(url) || /^(?:https?|grpcs?|dns):/i.test(url);
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
}

function majorMinorOf({ protocolVersion }: AgentInterface): string {
  return protocolVersion.split(".").slice(0, 2).join(".");
}
