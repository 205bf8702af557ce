import { A2AError } from "../../protocol/internal.js";
import { decodeHttpError } from "../../wire/internal.js";
import { attempt } from "../attempt.js";
import { describeNeed } from "./describe-need.js";
import type { Entrusted } from "./secret.js";

/** The error for an agent's answer that the caller is not authenticated: what the agent says, and what its card requires. */
export function readRefusal(entrusted: Entrusted, response: Response, text: string): A2AError {
  const challenge = response.headers.get("www-authenticate");
  const { message, details } = decodeHttpError(
    401,
    attempt(() => JSON.parse(text) as unknown),
  );
  const told = new A2AError("UNAUTHENTICATED", message, {
    details: { ...details, ...(challenge !== null && { challenges: [challenge] }) },
  });
  return explainRefusal(told, entrusted);
}

/** The agent's refusal, with what its card requires. */
export function explainRefusal(refusal: A2AError, { card, credentials }: Entrusted): A2AError {
  const { code, message, details } = refusal;
  return new A2AError(code, `${message}; ${describeNeed(card, credentials, message)}`, { details });
}
