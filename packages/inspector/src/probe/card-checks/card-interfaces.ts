import { parseUrl } from "../parse-url.js";
import { labelOf } from "../label-of.js";
import type { CardCheck } from "../check.js";
import { broken, ok, warn } from "../finding.js";

const bindings = ["JSONRPC", "HTTP+JSON", "GRPC"];

/** The interfaces are spelt as clients compare them. */
export const cardInterfaces: CardCheck = {
  name: "card-interfaces",
  proves: "Every interface names a binding and a version as the protocol spells them.",
  run({ target }) {
    const said = target.card.supportedInterfaces.map(labelOf);
    for (const protocolBinding of bindingsIn(target.document)) {
      const meant = bindings.find((one) => bare(one) === bare(protocolBinding));
      if (meant !== undefined && meant !== protocolBinding) {
        return broken(
          `the card names the binding ${JSON.stringify(protocolBinding)}`,
          `write ${JSON.stringify(meant)}: clients compare names exactly`,
        );
      }
      if (meant === undefined && parseUrl(protocolBinding) === undefined) {
        return warn(
          `the card names the binding ${JSON.stringify(protocolBinding)}, which is none of ${bindings.join(", ")}`,
          "name a binding of your own by a URI, or correct the name",
        );
      }
    }
    for (const { protocolVersion } of target.card.supportedInterfaces) {
      if (!/^\d+\.\d+(?:\.\d+)?$/.test(protocolVersion)) {
        return broken(
          `the card names the version ${JSON.stringify(protocolVersion)}`,
          'write major and minor number, such as "1.0"',
        );
      }
    }
    if (said.length > 0) return ok(said.join(", "));
    return broken("the card names no interface", "list where and how the agent is served");
  },
};

/** The names of bindings as the document has them; readers of cards are more lenient than clients. */
function bindingsIn(document: unknown): readonly string[] {
  const { supportedInterfaces, additionalInterfaces, preferredTransport } = (document ?? {}) as {
    readonly [name: string]: unknown;
  };
  const listed = [supportedInterfaces, additionalInterfaces].flatMap((list) =>
    Array.isArray(list) ? (list as readonly Readonly<Record<string, unknown>>[]) : [],
  );
  const names = listed.map((one) => one["protocolBinding"] ?? one["transport"]);
  return [preferredTransport, ...names].filter((name) => typeof name === "string");
}

function bare(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/[^a-z]/g, "")
    .replace(/^rest$|^http$/, "httpjson");
}
