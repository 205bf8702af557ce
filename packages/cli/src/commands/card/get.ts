import type { AgentCard, JsonValue, ProtocolVersion } from "@parley/a2a";
import type { Command } from "../../command.js";
import { connectOptions } from "../../connect/connect-options.js";
import { findCard } from "../../connect/find-card.js";
import { agentFlags } from "../../connect/next-command.js";
import { parseVersion } from "../../connect/parse-connection.js";
import type { Signature } from "../../connect/prepare-connection.js";
import { withAgent } from "../../connect/with-agent.js";
import { defineCommand } from "../../options/define-command.js";
import { CliError } from "../../output/cli-error.js";
import { textLine } from "../../output/text-form.js";
import { writeDocument } from "../../output/write-json.js";
import { cardText } from "../../render/card-text.js";

/** Shows an agent's card. */
export const cardGetCommand: Command = defineCommand({
  name: "card get",
  about: [
    "Finds the card of an agent and shows it: who the agent is, what it can do, and how to call it. Signatures are",
    "verified with keys of the card's own host, and the outcome is shown: verified, unverifiable, invalid or absent.",
  ],
  options: ["validate", "extended", ...connectOptions],
  examples: [
    "card get -a localhost:4100",
    "card get -a https://agent.example.com --validate -o json",
  ],
  async run(invocation) {
    const { values, format, output } = invocation;
    const found = await findCard(invocation);
    const { signature } = found;
    let { card, document } = found;
    if (values.extended) {
      card = await withAgent(invocation, ({ agent, signal }) => agent.extendedCard({ signal }));
      document = undefined;
    }
    const isCurrent = document === undefined || isOfCurrentForm(document);
    const version = isCurrent ? "1.0" : parseVersion(values["a2a-version"], invocation.hint);
    if (values.validate) await validate(document ?? card, version, agentFlags(invocation));
    if (format === "json") {
      writeDocument(output.stdout, await jsonOf(card, document));
      if (signature !== undefined) output.stderr.write(signatureLine(signature));
      return;
    }
    output.stdout.write(cardText(card));
    if (signature !== undefined) output.stdout.write(signatureLine(signature));
    if (values.validate) output.stdout.write(textLine("Valid", "yes"));
  },
});

function signatureLine({ outcome, reason, kid }: Signature): string {
  const why = reason ?? (kid === undefined ? undefined : `key ${kid}`);
  return textLine("Signature", why === undefined ? outcome : `${outcome} (${why})`);
}

async function validate(document: unknown, version: ProtocolVersion, flags: string): Promise<void> {
  const { cardProblems } = await import("@parley/inspector/probe");
  const problems = cardProblems(document, version);
  if (problems.length === 0) return;
  const hint = `parley card get${flags} -o json`;
  const message = `the card is not a card of ${version}: ${problems.join("; ")}`;
  throw new CliError("A2ACLI_ERR_CARD_INVALID", message, { hint });
}

/** The card as it came if it is one of 1.0; else in the form of 1.0. */
async function jsonOf(card: AgentCard, document: unknown): Promise<JsonValue> {
  if (isOfCurrentForm(document)) return document as JsonValue;
  const { codecs } = await import("@parley/a2a/wire");
  return codecs["1.0"].encodeAgentCard(card);
}

/** Whether the JSON of a card has the form of 1.0, whatever versions the agent speaks. */
function isOfCurrentForm(document: unknown): boolean {
  return typeof document === "object" && document !== null && "supportedInterfaces" in document;
}
