import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { JsonObject } from "@parley/a2a";
import { CliError } from "../output/cli-error.js";

/** An agent as it is found: by a URL or a host, or by a card that was read from a file. */
export type Reference = string | JsonObject;

/** Reads a reference to an agent. What names a file is the card in the file; all else is for the client to find. */
export async function readReference(reference: string): Promise<Reference> {
  const path = pathOf(reference);
  if (path === undefined) return reference;
  const hint = "parley help card get";
  const text = await readFile(path, "utf8").catch((cause: unknown) => {
    const message = `there is no agent card in ${path}: ${reasonOf(cause)}`;
    throw new CliError("A2ACLI_ERR_CARD_NOT_FOUND", message, { hint, cause });
  });
  const refuse = (cause?: unknown): CliError =>
    new CliError("A2ACLI_ERR_CARD_INVALID", `${path} is no agent card: expected a JSON object`, {
      hint,
      cause,
    });
  let card: unknown;
  try {
    card = JSON.parse(text);
  } catch (cause) {
    throw refuse(cause);
  }
  if (typeof card !== "object" || card === null || Array.isArray(card)) throw refuse();
  return card as JsonObject;
}

/** The path of a reference to a file: a `file:` URL, a path that begins as one, or a file that exists. */
function pathOf(reference: string): string | undefined {
  if (/^file:/i.test(reference)) return fileURLToPath(reference);
  if (/^\.{0,2}\//.test(reference)) return reference;
  return reference.endsWith(".json") && existsSync(reference) ? reference : undefined;
}

function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.split(", ")[0] ?? message;
}
