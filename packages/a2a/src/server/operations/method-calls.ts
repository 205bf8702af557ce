import { LightSignal } from "../../async/internal.js";
import { describeValue } from "../../options/internal.js";
import { A2AError } from "../../protocol/internal.js";
import type { CallContext, JsonValue, RequestOf } from "../../protocol/internal.js";
import { Cursor, jsonValue } from "../../protocol/parse/internal.js";
import type { Agent, AgentMethod } from "../author/agent.js";
import type { MethodContext } from "../author/method.js";
import { largeBytes } from "../log/fold-stored.js";
import type { RunEnvironment } from "../run-environment.js";
import type { Runner } from "../run/runner.js";
import type { RunSlot } from "../shares/run-slot.js";
import { waitedTooLong } from "../shares/run-slots.js";
import { shareOf } from "../shares/share.js";
import type { LargeReads } from "./large-reads.js";

interface MethodCallParts {
  readonly environment: RunEnvironment;
  readonly agent: Agent;
  readonly runner: Runner;
  readonly largeReads: LargeReads;
}

/**
 * Calls of methods that the agent's extensions define. They leave no task and nothing in the store, and share the slots
 * of direct replies.
 */
export class MethodCalls {
  readonly #parts: MethodCallParts;

  constructor(parts: MethodCallParts) {
    this.#parts = parts;
  }

  async call(
    { method: name, params = {} }: RequestOf<"callMethod">,
    call: CallContext,
  ): Promise<JsonValue> {
    const { agent, runner } = this.#parts;
    const method = agent.methods.get(name);
    if (method === undefined) throw noMethod(name);
    checkActive(name, method, call);
    const slot = runner.reserve(shareOf(call), "reply");
    const stop = new LightSignal(call.signal);
    const context = contextOf(name, call, stop);
    const work = this.#work(slot, stop, () => method.run(params, context)).finally(() => {
      slot.release();
      stop.unfollow();
    });
    // A handler may ignore its signal; whoever waits for it does not have to.
    const answer = Promise.race([work, leftBy(stop)]);
    runner.keep(answer, stop);
    return this.#show(name, await answer, call);
  }

  async #work(slot: RunSlot, stop: LightSignal, run: () => unknown): Promise<unknown> {
    if (slot.turn !== undefined) await this.#await(slot.turn, stop);
    stop.throwIfAborted();
    return run();
  }

  /** Waits for the turn of a call. It is turned away after `maxQueueMs`, as a message is. */
  async #await(turn: Promise<void>, stop: LightSignal): Promise<void> {
    const { clock, settings } = this.#parts.environment;
    const { maxQueueMs } = settings;
    let cancel = (): void => undefined;
    const late = new Promise<never>((_, reject) => {
      cancel = clock.after(maxQueueMs, () => reject(waitedTooLong(maxQueueMs)));
    });
    try {
      await Promise.race([turn, late, stop.whenAborted()]);
    } finally {
      cancel();
    }
  }

  /** The result as it goes to the caller. A large one counts among the large answers until it is read. */
  async #show(name: string, result: unknown, call: CallContext): Promise<JsonValue> {
    const { environment, largeReads } = this.#parts;
    const { maxEventBytes } = environment.settings;
    const text = this.#text(name, result, call);
    if (text.length > maxEventBytes) {
      const problem = `answered with ${text.length} bytes; maxEventBytes allows ${maxEventBytes}`;
      throw this.#refuse(name, problem, call);
    }
    const json = JSON.parse(text) as JsonValue;
    try {
      jsonValue(json, new Cursor({ code: "INVALID_AGENT_RESPONSE" }));
    } catch (error) {
      const { message } = A2AError.from(error);
      throw this.#refuse(name, `answered with something that is no JSON: ${message}`, call);
    }
    if (text.length <= largeBytes) return json;
    const release = await largeReads.reserve(shareOf(call), text.length, call.signal);
    if (call.holdAnswer === undefined) release();
    else call.holdAnswer({ release });
    return json;
  }

  #text(name: string, result: unknown, call: CallContext): string {
    if (result === undefined) return "null";
    try {
      const isStream =
        typeof result === "object" && result !== null && Symbol.asyncIterator in result;
      const text = isStream ? undefined : (JSON.stringify(result) as string | undefined);
      if (text !== undefined) return text;
    } catch {
      // A cycle or a big integer, for instance.
    }
    throw this.#refuse(name, `answered with ${describeValue(result)}; expected JSON`, call);
  }

  /** The operator learns what is wrong; the caller only that the agent has answered with what it must not. */
  #refuse(name: string, problem: string, call: CallContext): A2AError {
    const { agent, environment } = this.#parts;
    const reference = environment.newId();
    const cause = new Error(
      `the method ${JSON.stringify(name)} of agent ${JSON.stringify(agent.name)} ${problem}`,
    );
    environment.report(cause, "", reference, call);
    const message = `the agent's answer to ${JSON.stringify(name)} is not valid (${reference})`;
    return new A2AError("INVALID_AGENT_RESPONSE", message, { cause });
  }
}

function noMethod(name: string): A2AError {
  return new A2AError("METHOD_NOT_FOUND", `there is no method ${JSON.stringify(name)}`);
}

/** Extensions are inactive unless a call names them (§4.6.3), and so are their methods. */
function checkActive(name: string, { extension: uri }: AgentMethod, call: CallContext): void {
  const { extensions = [], version } = call;
  if (extensions.includes(uri)) return;
  const header = version === "1.0" ? "A2A-Extensions" : "X-A2A-Extensions";
  throw new A2AError(
    "EXTENSION_SUPPORT_REQUIRED",
    `the method ${JSON.stringify(name)} belongs to the extension ${uri}; name it in the header ${header}`,
    { details: { metadata: { requiredExtensions: uri, header } } },
  );
}

function contextOf(method: string, call: CallContext, stop: LightSignal): MethodContext {
  const { principal: caller, tenant, version, extensions = [] } = call;
  return {
    method,
    version,
    extensions,
    ...(caller !== undefined && { caller }),
    ...(tenant !== undefined && { tenant }),
    get signal() {
      return stop.toAbortSignal();
    },
  };
}

/** Rejects when the caller goes away or the node stops. */
async function leftBy(stop: LightSignal): Promise<never> {
  await stop.whenAborted();
  throw new A2AError("UNAVAILABLE", "the call ended before the method had answered");
}
