import { callOnce, callStream, createService } from "../protocol/internal.js";
import type {
  AgentService,
  CallableService,
  CallContext,
  Operation,
  RequestOf,
  StreamEvent,
  StreamingOperation,
} from "../protocol/internal.js";
import { withTextFiles } from "../wire/internal.js";

/**
 * What a peer of 0.3 has in the bytes of a file, over gRPC and in the ProtoJSON of the `/v1` paths: `raw`, the bytes of the
 * file, as the protobuf says; or `base64`, its base64 text, as the official libraries in Python and Go write and read it.
 * Other bindings and versions have no such peers.
 */
export type FileBytes = "raw" | "base64";

/** What a server takes the files of its callers for. */
export type CallerFileBytes = FileBytes | ((userAgent: string | undefined) => FileBytes);

/** What a client takes the files of an agent for. */
export interface PeerFiles {
  /**
   * What an agent of 0.3 has in the bytes of a file, over gRPC and REST; `raw` when absent. Agents that are built with the
   * official Python or Go library need `base64`. With `base64`, bytes that happen to be base64 text are read as such.
   */
  readonly fileBytes?: FileBytes;
}

/** How the libraries that the official Python and Go clients of 0.3 call with name themselves. */
const textLibraries = /\b(?:grpc-python(?:-asyncio)?|grpc-go|python-httpx)\//;

/** The name of every HTTP client in Go. The official one is the one that names 0.3 in a header, too. */
const anyInGo = /\bGo-http-client\//;

/** What a caller of 0.3 has in the bytes of its files. Without an option its `User-Agent` tells, in Go with `A2A-Version`. */
export function fileBytesOf(
  option: CallerFileBytes | undefined,
  userAgent: string = "",
  namedVersion?: string,
): FileBytes {
  if (typeof option === "function") return option(userAgent === "" ? undefined : userAgent);
  const isInGo = namedVersion !== undefined && anyInGo.test(userAgent);
  return option ?? (isInGo || textLibraries.test(userAgent) ? "base64" : "raw");
}

const withFiles: ReadonlySet<Operation> = new Set<Operation>([
  "sendMessage",
  "getTask",
  "listTasks",
  "cancelTask",
]);

/** The service as a caller reads it who expects the base64 text of files in place of their bytes. */
export function tellTextFiles(service: AgentService): CallableService {
  return createService(
    async (operation, request, call) => {
      const result = await callOnce(service, operation, request, withoutSharing(call));
      return withFiles.has(operation) ? withTextFiles(result) : result;
    },
    async function* tell<O extends StreamingOperation>(
      operation: O,
      request: RequestOf<O>,
      call: CallContext,
    ): AsyncGenerator<StreamEvent, void, void> {
      for await (const event of callStream(service, operation, request, call)) {
        const { encodings: _, ...own } = event;
        yield { ...own, response: withTextFiles(event.response) };
      }
    },
  );
}

/** Keeps apart what others encode of the same answer: they get other bytes. */
function withoutSharing(call: CallContext): CallContext {
  const { holdAnswer } = call;
  if (holdAnswer === undefined) return call;
  return { ...call, holdAnswer: ({ release }) => holdAnswer({ release }) };
}
