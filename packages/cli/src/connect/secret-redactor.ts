import type { Redactor } from "@parley/inspector/record";
import type { Invocation } from "../options/define-command.js";
import type { ConnectOption } from "./connect-options.js";

/** Loads what removes the secrets of a command line from what is shown of its calls. */
export async function secretRedactor({
  values,
}: Pick<Invocation<ConnectOption>, "values">): Promise<Redactor> {
  const { createRedactor } = await import("@parley/inspector/record");
  const { bearer, "api-key": apiKey } = values;
  return createRedactor([bearer, apiKey].filter((one) => one !== undefined));
}
