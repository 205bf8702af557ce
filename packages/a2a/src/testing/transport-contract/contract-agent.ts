import { A2AError } from "../../protocol/internal.js";
import { agent, textOf } from "../../server/internal.js";
import type { Agent, MethodHandler, Outcome, Output } from "../../server/internal.js";

/** A text that only operators may see, never callers. */
export const secret = "the password is swordfish";

/** The extension whose methods the contract calls. */
export const contractExtension = "urn:parley:a2a:contract:v1";

const methods: Readonly<Record<string, MethodHandler>> = {
  "contract/echo": (params) => params,
  "contract/context": (_, { version, tenant, extensions }) => {
    const own = extensions.filter((uri) => uri === contractExtension);
    return { version, extensions: own, ...(tenant !== undefined && { tenant }) };
  },
  "contract/refuse": () => {
    throw new A2AError("INVALID_PARAMS", "refused");
  },
  Nothing: () => undefined,
};

/** Settles when the task is canceled. */
function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const stop = (): void => reject(new Error("stopped"));
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });
}

async function* count(total: number): AsyncGenerator<Output, Outcome, void> {
  for (let chunk = 1; chunk <= total; chunk += 1) yield `${chunk} `;
}

/** The agent of the contract. The first word of a message chooses what it does. */
export const contractAgent: Agent = agent({
  name: "Contract",
  description: "Does what the contract of transports needs",
  version: "1.2.3",
  inputModes: ["*/*"],
  outputModes: ["*/*"],
  capabilities: { pushNotifications: true },
  extensions: [{ uri: contractExtension, methods }],
  extendedCard: (card) => ({
    ...card,
    supportedInterfaces: [
      { url: "https://contract.example/", protocolBinding: "JSONRPC", protocolVersion: "1.0" },
      { url: "https://contract.example/", protocolBinding: "JSONRPC", protocolVersion: "0.3" },
    ],
    description: "For those who may see more",
  }),
  async *run(context) {
    const [word = "", number = "0"] = context.text.split(/\s+/);
    switch (word) {
      case "count":
        return yield* count(Number(number));
      case "parts":
        yield { artifact: "parts", parts: context.message.parts, metadata: { list: [1, null] } };
        return;
      case "ask":
        return `You said ${textOf(await context.ask("What?"))}.`;
      case "work":
        yield { status: "Working" };
        return untilAborted(context.signal);
      case "throw":
        yield { status: "About to fail" };
        throw new Error(secret);
      default:
        return context.text;
    }
  },
});
