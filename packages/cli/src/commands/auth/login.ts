import { A2AError } from "@parley/a2a";
import type { AgentCard, SecurityScheme } from "@parley/a2a";
import { agentOrigin } from "../../auth/agent-origin.js";
import { saveLogin } from "../../auth/logins.js";
import type { Login } from "../../auth/logins.js";
import type { Command } from "../../command.js";
import { connectOptions } from "../../connect/connect-options.js";
import { startDeadline } from "../../connect/deadline.js";
import { findCard } from "../../connect/find-card.js";
import { agentFlags } from "../../connect/next-command.js";
import { openWire } from "../../connect/open-wire.js";
import { readReference } from "../../connect/read-reference.js";
import { defineCommand } from "../../options/define-command.js";
import type { Invocation } from "../../options/define-command.js";
import { surroundings } from "../../options/env-files.js";
import { CliError } from "../../output/cli-error.js";
import { textLine } from "../../output/text-form.js";
import { writeDocument } from "../../output/write-json.js";
import { UsageError } from "../../usage-error.js";

const options = [
  "client-id",
  "client-secret",
  "issuer",
  "scope",
  "flow",
  ...connectOptions,
] as const;

type LoggingIn = Invocation<(typeof options)[number]>;

/** Signs in to an agent. */
export const authLoginCommand: Command = defineCommand({
  name: "auth login",
  about: [
    "Signs in with OAuth 2.0 or OpenID Connect, as the card describes it: a person with a code for another device, or a",
    "program with its client's secret. Tokens are kept in ~/.config/a2a-cli/tokens.json, which only you can read; later",
    "commands for the same agent send and refresh them.",
  ],
  options,
  examples: [
    "auth login -a https://agent.example.com --client-id terminal",
    "auth login -a https://agent.example.com --client-id reports --issuer https://sso.example.com",
  ],
  async run(invocation) {
    const { values, output, format, hint } = invocation;
    const login = chooseLogin(invocation);
    const { card } = await findCard(invocation);
    const { name, scheme, scopes } = chooseScheme(card, agentFlags(invocation));
    const given = values["agent-card"] ?? "";
    const reference = await readReference(given);
    const origin = agentOrigin(given, reference);
    if (origin === undefined)
      throw new UsageError(`${given} has no origin to sign in for`, { hint });
    using deadline = startDeadline(values.timeout, hint);
    using wire = await openWire(invocation, { given, reference });
    const { tokenSourceFor } = await import("../../auth/token-source.js");
    const { configFolder } = surroundings();
    const source = tokenSourceFor(login, {
      configFolder,
      clientSecret: values["client-secret"],
      fetch: wire.options.fetch,
      onCode: ({ userCode, verificationUri, verificationUriComplete }) => {
        output.stderr.write(textLine("Open", verificationUriComplete ?? verificationUri));
        output.stderr.write(textLine("Code", userCode));
      },
    });
    const { signal } = deadline;
    try {
      await source({ scheme, scopes, origin, signal });
    } catch (error) {
      throw explain(error, invocation, signal);
    }
    await saveLogin(configFolder, origin, login);
    if (format === "json") writeDocument(output.stdout, { origin, scheme: name, flow: login.flow });
    else output.stdout.write(textLine("Signed in", origin) + textLine("Scheme", name));
  },
});

function chooseLogin({ values, hint }: LoggingIn): Login {
  const { "client-id": clientId, "client-secret": secret, issuer, scope } = values;
  const flow = values.flow ?? (secret === undefined ? "device-code" : "client-credentials");
  if (clientId === undefined) {
    throw new UsageError("--client-id is missing: the OAuth client that signs in", { hint });
  }
  if (flow !== "device-code" && flow !== "client-credentials") {
    throw new UsageError(`--flow must be device-code or client-credentials, not ${flow}`, { hint });
  }
  if (flow === "client-credentials" && (issuer === undefined || secret === undefined)) {
    const message =
      "client-credentials needs --issuer, the only server that gets the secret, and A2ACLI_CLIENT_SECRET";
    throw new UsageError(message, { hint });
  }
  const name = flow === "device-code" ? "deviceCode" : "clientCredentials";
  return { flow: name, clientId, scopes: scope, ...(issuer !== undefined && { issuer }) };
}

interface ChosenScheme {
  readonly name: string;
  readonly scheme: SecurityScheme;
  /** The scopes that the card requires. */
  readonly scopes: readonly string[];
}

/** The scheme to sign in by: one that the card requires, else any that it has. */
function chooseScheme(card: AgentCard, flags: string): ChosenScheme {
  const { securitySchemes = {}, securityRequirements = [] } = card;
  const required = securityRequirements.flatMap(({ schemes }) => Object.entries(schemes));
  const all = [...required, ...Object.keys(securitySchemes).map((name) => [name, {}] as const)];
  for (const [name, { list = [] }] of all as readonly (readonly [
    string,
    { list?: readonly string[] },
  ])[]) {
    const scheme = securitySchemes[name];
    const isOAuth = scheme?.oauth2SecurityScheme ?? scheme?.openIdConnectSecurityScheme;
    if (scheme !== undefined && isOAuth !== undefined) return { name, scheme, scopes: list };
  }
  const message = `the card of ${card.name} has no security scheme with OAuth 2.0 or OpenID Connect`;
  throw new CliError("A2ACLI_ERR_AUTH_FAILED", message, { hint: `parley card get${flags}` });
}

function explain(error: unknown, invocation: LoggingIn, signal: AbortSignal): unknown {
  const hint = `parley card get${agentFlags(invocation)}`;
  if (signal.aborted) {
    const message = `nobody signed in within ${invocation.values.timeout} (--timeout)`;
    return new CliError("A2ACLI_ERR_TIMEOUT", message, { hint: invocation.hint, cause: error });
  }
  if (!A2AError.is(error)) return error;
  const code = error.code === "UNAVAILABLE" ? "A2ACLI_ERR_UNREACHABLE" : "A2ACLI_ERR_AUTH_FAILED";
  return new CliError(code, error.message, { hint, cause: error });
}
