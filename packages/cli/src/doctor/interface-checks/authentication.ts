import type { SecurityScheme } from "@parley/a2a";
import { unknownTaskId } from "../../probe/probe-message.js";
import { openSession } from "../../probe/session.js";
import type { InterfaceCheck } from "../check.js";
import { broken, ok, skipped, warn } from "@parley/inspector/probe";
import type { Finding } from "@parley/inspector/probe";
import type { Exchange } from "../../probe/tap.js";

/** A caller without credentials is treated as the card says. */
export const authentication: InterfaceCheck = {
  name: "authentication",
  proves:
    "A caller without credentials is refused if the card requires some, and told which, and is served if not.",
  forStrangers: true,
  async run({ session, target }) {
    const { securityRequirements = [], securitySchemes = {} } = target.card;
    const required = securityRequirements.map(({ schemes }) => Object.keys(schemes));
    const isRequired = required.length > 0 && required.every((names) => names.length > 0);
    const { credentials: _, headers: __, ...anonymous } = target.connect;
    using stranger = await openSession({ ...target, connect: anonymous }, session.declared);
    const { error, exchange } = await stranger.call("getTask", { id: unknownTaskId() });
    const isRefused = error?.code === "UNAUTHENTICATED" || exchange?.status === 401;
    if (!isRequired) {
      if (!isRefused) return ok("no credentials are required, and none are asked for");
      return broken(
        "the card requires no credentials, and callers without are refused",
        "describe the scheme in securitySchemes of the card, and require it in securityRequirements (before 1.0: security)",
      );
    }
    const schemes = required.flat().map((name) => securitySchemes[name]);
    if (schemes.some((scheme) => scheme?.mtlsSecurityScheme !== undefined)) {
      return skipped("the card requires a client certificate");
    }
    if (isRefused) return judgeChallenge(exchange, schemes);
    if (error?.code === "PERMISSION_DENIED") {
      return warn(
        "a caller without credentials is refused as forbidden (403)",
        "answer 401 with WWW-Authenticate: 403 tells clients that other credentials are of no use",
      );
    }
    return broken(
      `the card requires ${required.map((names) => names.join(" and ")).join(" or ")}, and callers without are served`,
      `check credentials at ${session.declared.url} too; every interface has to`,
    );
  },
};

function judgeChallenge(
  exchange: Exchange | undefined,
  schemes: readonly (SecurityScheme | undefined)[],
): Finding {
  if (exchange === undefined) return ok("refused as unauthenticated");
  if (exchange.status !== 401) {
    return warn(
      `a caller without credentials gets HTTP ${exchange.status}`,
      "answer HTTP 401 with WWW-Authenticate; proxies and HTTP clients know nothing else",
    );
  }
  const challenge = exchange.headers.get("www-authenticate");
  if (challenge === null) {
    return warn(
      "401 comes without WWW-Authenticate",
      `send WWW-Authenticate: ${expected(schemes[0])} with it, so that clients know what to show`,
    );
  }
  const names = schemes.map(expected);
  const offered = challenge.toLowerCase();
  const isOffered = names.some(
    (name) => name === anyScheme || offered.includes(name.toLowerCase()),
  );
  if (isOffered) return ok(`401, WWW-Authenticate: ${challenge}`);
  return warn(
    `the card requires ${names.join(" or ")}, and the challenge is ${challenge}`,
    `send WWW-Authenticate: ${names[0]}, or describe in the card what the server wants`,
  );
}

/** HTTP has no scheme of its own for API keys. */
const anyScheme = "ApiKey";

function expected(scheme: SecurityScheme | undefined): string {
  if (scheme?.httpAuthSecurityScheme !== undefined) return scheme.httpAuthSecurityScheme.scheme;
  return scheme?.apiKeySecurityScheme !== undefined ? anyScheme : "Bearer";
}
