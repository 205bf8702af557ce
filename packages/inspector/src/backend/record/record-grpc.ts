import type { AgentService } from "@parley/a2a";
import { callOnce, callStream, createService } from "@parley/a2a";
import type { TransportFactory } from "@parley/a2a/client";
import type { grpcTransports, WireCallObserver, WireMessage, WireObserver } from "@parley/a2a/grpc";
import type { Frame, HeaderList } from "../../contract/index.js";
import { Refusal } from "../http/refusal.js";
import { currentCall } from "./current-call.js";
import type { Recording } from "./record-fetch.js";

/** A transport for gRPC that is loaded with its first call, and closed with its connection. */
export interface GrpcOnDemand extends Disposable {
  readonly open: TransportFactory;
}

/** Creates a transport for gRPC whose calls are recorded, message by message. */
export function recordGrpc(recording: Recording): GrpcOnDemand {
  const opened: Disposable[] = [];
  const observer = observe(recording);
  return {
    open(chosen, source) {
      let service: Promise<AgentService> | undefined;
      const open = (): Promise<AgentService> =>
        (service ??= loadGrpc().then(({ grpcTransports }) => {
          const transport = grpcTransports({ observer }).GRPC(chosen, source);
          opened.push(transport);
          return transport;
        }));
      return createService(
        async (operation, request, call) => callOnce(await open(), operation, request, call),
        async function* stream(operation, request, call) {
          yield* callStream(await open(), operation, request, call);
        },
      );
    },
    [Symbol.dispose]() {
      for (const one of opened.splice(0)) one[Symbol.dispose]();
    },
  };
}

async function loadGrpc(): Promise<{ readonly grpcTransports: typeof grpcTransports }> {
  try {
    return await import("@parley/a2a/grpc");
  } catch {
    throw new Refusal(501, "UNSUPPORTED_OPERATION", "gRPC is not installed here", {
      hint: "npm install @grpc/grpc-js protobufjs",
    });
  }
}

function observe({ connection, ring, gate, redactor, chosen }: Recording): WireObserver {
  return ({ operation, address, path, metadata, message, cut }): WireCallObserver => {
    const call = currentCall();
    const request = textOf(message.json);
    const record = ring.begin(
      {
        direction: "sent",
        connection,
        method: "POST",
        url: `${/^\w+:\/\//.test(address) ? address : `grpc://${address}`}${path}`,
        requestHeaders: listOf(metadata),
        requestBody: request,
        operation,
        ...chosen(),
      },
      redactor,
    );
    call?.hops.push(record.id);
    const stream = { cut };
    gate.add(stream);
    let isLast = false;
    return {
      onMetadata: (answered) => record.answer(200, listOf(answered)),
      async onMessage(one) {
        // The reader has what it was given before it hears of the end.
        if (isLast) return cut();
        await gate.pass();
        record.frames([frameOf(one)]);
        isLast = gate.isLastEvent();
      },
      onEnd(status, details) {
        gate.remove(stream);
        record.end(status === 0 ? {} : { error: `grpc-status ${status}: ${details}` });
      },
    };
  };
}

function frameOf({ bytes, json }: WireMessage): Frame {
  return {
    at: Date.now(),
    kind: "message",
    data: textOf(json),
    hex: Buffer.from(bytes).toString("hex"),
    bytes: bytes.byteLength,
  };
}

/** The JSON form of a message, with bytes as base64. */
function textOf(json: unknown): string {
  return JSON.stringify(json, (_, value: unknown) =>
    value instanceof Uint8Array ? Buffer.from(value).toString("base64") : value,
  );
}

function listOf(metadata: Readonly<Record<string, string>>): HeaderList {
  return Object.entries(metadata);
}
