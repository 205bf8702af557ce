import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { A2AError } from "@parley/a2a";
import type { JsonValue } from "@parley/a2a";
import { parseJson } from "@parley/a2a/wire";
import type { Command } from "../command.js";
import { translateCard } from "../translate-card.js";
import { translateRequest } from "../translate-request.js";
import type { Translation } from "../translation.js";
import { UsageError } from "../usage-error.js";

const sample = {
  jsonrpc: "2.0",
  id: 1,
  method: "SendMessage",
  params: {
    message: {
      messageId: "msg-1",
      role: "ROLE_USER",
      parts: [
        { text: "Find a flight to Tokyo" },
        { raw: "aGVsbG8=", mediaType: "text/plain", filename: "wishes.txt" },
      ],
    },
  },
};

/** Shows a request or a card in the form of every version of the protocol. */
export const translateCommand: Command = {
  usage: [
    "Usage: parley translate [FILE|-] [--a2a-version VERSION] [-o text|json]",
    "",
    "Reads a JSON-RPC request or an agent card of any version, says which version it is, and prints it in",
    "the form of each version. Without FILE it translates a sample; - reads standard input.",
    "",
    "  --a2a-version VERSION  the value of the request's A2A-Version header",
    "  -o, --output FORMAT    the output format: text (default) or json",
    "",
    "Examples:",
    "  parley translate request.json",
    "  parley translate - -o json < card.json",
    "",
  ].join("\n"),
  async run(args, output) {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        output: { type: "string", short: "o", default: "text" },
        "a2a-version": { type: "string" },
      },
    });
    const hint = "parley help translate";
    if (positionals.length > 1) {
      throw new UsageError(`translate takes one file, but ${positionals.length} were given`, {
        hint,
      });
    }
    if (values.output !== "text" && values.output !== "json") {
      throw new UsageError(`--output must be text or json, not ${values.output}`, { hint });
    }
    const translation = translate(read(positionals[0], hint), values["a2a-version"]);
    output.stdout.write(
      values.output === "json"
        ? `${JSON.stringify(translation, null, 2)}\n`
        : describeTranslation(translation),
    );
    return 0;
  },
};

function read(file: string | undefined, hint: string): unknown {
  if (file === undefined) return sample;
  let bytes: Uint8Array;
  try {
    bytes = readFileSync(file === "-" ? 0 : file);
  } catch (error) {
    throw new UsageError(`cannot read ${file}`, { hint, cause: error });
  }
  return parseJson(bytes);
}

function translate(document: unknown, version: string | undefined): Translation {
  if (typeof document !== "object" || document === null) {
    throw new A2AError("INVALID_REQUEST", "expected a JSON-RPC request or an agent card");
  }
  return "method" in document ? translateRequest(document, version) : translateCard(document);
}

function describeTranslation({ found, forms }: Translation): string {
  const blocks = forms.map(({ title, body }) => `${title}:\n${print(body)}\n`);
  return [`Found: ${found}\n`, ...blocks].join("\n");
}

function print(body: JsonValue): string {
  return typeof body === "string" ? body : JSON.stringify(body, null, 2);
}
