import { A2AError, callOnce, callStream, createService } from "../../protocol/internal.js";
import type {
  AgentService,
  CallContext,
  RequestOf,
  StreamEvent,
  StreamingOperation,
} from "../../protocol/internal.js";
import type { Authorization } from "./authorize.js";
import { isRenewable, prepare } from "./prepare.js";
import type { Entrusted } from "./secret.js";

/**
 * A service that authenticates as the card requires, over a transport that sends service parameters
 * along, such as gRPC with its metadata. A refusal makes it ask for other tokens once.
 */
export function authorizedService(
  service: AgentService,
  url: string,
  entrusted: Entrusted,
): AgentService {
  const authorizeCall = async (
    call: CallContext,
    refused?: Authorization,
  ): Promise<readonly [CallContext, Authorization]> => {
    const given = { ...entrusted.headers, ...call.serviceParameters };
    if (entrusted.credentials === undefined && !maybeSecret(entrusted, given)) {
      return [call, { headers: {}, query: {}, tokens: {} }];
    }
    const added = await prepare(url, entrusted, {
      signal: call.signal,
      ...(refused !== undefined && { refused }),
    });
    const { headers, query } = added;
    // There is no query beside a call; what a card wants there goes where its headers go.
    return [{ ...call, serviceParameters: { ...given, ...query, ...headers } }, added];
  };
  return createService(
    async (operation, request, call) => {
      const [authorized, added] = await authorizeCall(call);
      try {
        return await callOnce(service, operation, request, authorized);
      } catch (error) {
        if (!isRefusal(error) || !isRenewable(added)) throw error;
        const [again] = await authorizeCall(call, added);
        return callOnce(service, operation, request, again);
      }
    },
    async function* authorizedStream<O extends StreamingOperation>(
      operation: O,
      request: RequestOf<O>,
      call: CallContext,
    ): AsyncGenerator<StreamEvent, void, void> {
      const [authorized, added] = await authorizeCall(call);
      let hasBegun = false;
      try {
        for await (const event of callStream(service, operation, request, authorized)) {
          hasBegun = true;
          yield event;
        }
        return;
      } catch (error) {
        if (hasBegun || !isRefusal(error) || !isRenewable(added)) throw error;
      }
      const [again] = await authorizeCall(call, added);
      yield* callStream(service, operation, request, again);
    },
  );
}

/** Headers of every call may be anything; of those of one call it is known which are secret. */
function maybeSecret({ headers }: Entrusted, given: Readonly<Record<string, string>>): boolean {
  const names = Object.keys(given).map((name) => name.toLowerCase());
  return headers !== undefined || names.includes("authorization") || names.includes("cookie");
}

function isRefusal(error: unknown): boolean {
  return A2AError.is(error) && error.code === "UNAUTHENTICATED";
}
