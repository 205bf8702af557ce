import { A2AError, callOnce, callStream, createService } from "../../protocol/internal.js";
import type {
  AgentService,
  CallContext,
  RequestOf,
  StreamEvent,
  StreamingOperation,
} from "../../protocol/internal.js";
import type { Authorization } from "./authorize.js";
import { authorizeRequest, isRenewable } from "./authorize-request.js";
import { explainRefusal } from "./refusal.js";
import type { Entrusted } from "./secret.js";

/**
 * A service in front of a service: authenticates as the card requires, by service parameters, which gRPC for
 * example sends as metadata. After a refusal it asks the token sources for other tokens, once. A refusal that
 * reaches the caller says what the card requires.
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
    if (entrusted.credentials === undefined && !mayBeSecret(entrusted, given)) {
      return [call, { headers: {}, query: {}, tokens: {} }];
    }
    const added = await authorizeRequest(url, entrusted, { signal: call.signal, refused });
    const { headers, query } = added;
    // A call has no query; what the card wants in the query goes with the headers.
    return [{ ...call, serviceParameters: { ...given, ...query, ...headers } }, added];
  };
  const explain = (error: unknown): never => {
    throw isRefusal(error) ? explainRefusal(error, entrusted) : error;
  };
  return createService(
    async (operation, request, call) => {
      const [authorized, added] = await authorizeCall(call);
      try {
        return await callOnce(service, operation, request, authorized);
      } catch (error) {
        if (!isRefusal(error) || !isRenewable(added)) return explain(error);
        const [again] = await authorizeCall(call, added);
        return callOnce(service, operation, request, again).catch(explain);
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
        if (hasBegun || !isRefusal(error) || !isRenewable(added)) return explain(error);
      }
      const [again] = await authorizeCall(call, added);
      try {
        yield* callStream(service, operation, request, again);
      } catch (error) {
        explain(error);
      }
    },
  );
}

/**
 * Whether anything may be secret: any header that goes with every call, or one that is known to hold
 * credentials.
 */
function mayBeSecret({ headers }: Entrusted, given: Readonly<Record<string, string>>): boolean {
  const names = Object.keys(given).map((name) => name.toLowerCase());
  return headers !== undefined || names.includes("authorization") || names.includes("cookie");
}

function isRefusal(error: unknown): error is A2AError {
  return A2AError.is(error) && error.code === "UNAUTHENTICATED";
}
