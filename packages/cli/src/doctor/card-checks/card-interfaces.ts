import type { CardCheck } from "../check.js";
import { broken, ok, warn } from "../finding.js";

const bindings = ["JSONRPC", "HTTP+JSON", "GRPC"];

/** The interfaces are spelt as clients compare them. */
export const cardInterfaces: CardCheck = {
  name: "card-interfaces",
  proves: "Every interface names a binding and a version as the protocol spells them.",
  run({ target }) {
    const { supportedInterfaces } = target.card;
    const said = supportedInterfaces.map(
      ({ protocolBinding, protocolVersion }) => `${protocolBinding} ${protocolVersion}`,
    );
    for (const { protocolBinding, protocolVersion } of supportedInterfaces) {
      const meant = bindings.find((one) => bare(one) === bare(protocolBinding));
      if (meant !== undefined && meant !== protocolBinding) {
        return broken(
          `the card names the binding ${JSON.stringify(protocolBinding)}`,
          `write ${JSON.stringify(meant)}: clients compare names exactly`,
        );
      }
      if (meant === undefined && !URL.canParse(protocolBinding)) {
        return warn(
          `the card names the binding ${JSON.stringify(protocolBinding)}, which is none of ${bindings.join(", ")}`,
          "name a binding of your own by a URI, or correct the name",
        );
      }
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

function bare(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z]/g, "").replace(/^rest$|^http$/, "httpjson");
}
