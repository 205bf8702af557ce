import type { RequestOf, ResultOf, StreamingOperation, UnaryOperation } from "@parley/a2a";
import type { CallAnswer, CallEvent, CallRequest } from "../../contract/index.js";
import { api, ProblemError } from "../api/index.js";

/** What is sent beside a request. */
export interface CallExtras {
  readonly extensions?: readonly string[];
  readonly serviceParameters?: Readonly<Record<string, string>>;
}

/** Calls an operation with one result. Throws a `ProblemError` for what the agent refuses. */
export async function callAgent<O extends UnaryOperation>(
  connectionId: string,
  operation: O,
  request: RequestOf<O>,
): Promise<ResultOf<O>> {
  const body = { operation, request } as unknown as CallRequest;
  const answer = await api.post<CallAnswer<O>>(`connections/${connectionId}/call`, body);
  if ("error" in answer) throw new ProblemError(answer.error);
  return answer.result;
}

/** Calls an operation that streams. The last event is `end` or `problem`. */
export async function* streamAgent<O extends StreamingOperation>(
  connectionId: string,
  call: { readonly operation: O; readonly request: RequestOf<O> } & CallExtras,
  signal?: AbortSignal,
): AsyncGenerator<CallEvent, void, undefined> {
  const options = signal === undefined ? {} : { signal };
  const events = await api.stream(`connections/${connectionId}/call`, call, options);
  for await (const { data } of events) yield JSON.parse(data) as CallEvent;
}
