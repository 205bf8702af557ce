import type { IncomingMessage } from "node:http";
import { BackendFailure } from "../backend-agent.js";
import { beginningOf } from "../post.js";

const maxBytes = 16 * 1024;

/** Why an endpoint did not answer, in words for the caller. What concerns the operator's key goes to the operator alone. */
export async function refusalOf(response: IncomingMessage): Promise<BackendFailure> {
  const { statusCode: status = 0 } = response;
  const body = await beginningOf(response, maxBytes).catch(() => "");
  const said = messageIn(body);
  const cause = new Error(`the model's endpoint answered with ${status}: ${said || body}`);
  const details = { status };
  if (status === 401 || status === 403) {
    return new BackendFailure(
      `the model's endpoint refused the credentials of this agent (${status}); its operator has to check OPENAI_API_KEY`,
      { code: "MODEL_REFUSED", details, cause },
    );
  }
  const words = said === "" ? "" : `: ${said}`;
  return new BackendFailure(`the model's endpoint answered with ${status}${words}`, {
    code: status === 429 ? "MODEL_BUSY" : "MODEL_FAILED",
    details,
    cause,
  });
}

/** The message of an error as these endpoints write it; nothing for anything else. */
function messageIn(body: string): string {
  try {
    const { error } = JSON.parse(body) as { error?: { message?: unknown } | string };
    const message = typeof error === "object" ? error.message : error;
    return typeof message === "string" ? message : "";
  } catch {
    return "";
  }
}
