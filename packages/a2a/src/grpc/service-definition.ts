import type { ServiceDefinition } from "@grpc/grpc-js";
import type { ServiceType } from "./wire-format.js";

/**
 * A service as grpc-js registers it. Messages stay bytes, so that the handler itself refuses what it cannot read,
 * and encodes an event once for all its watchers.
 */
export function serviceDefinition(
  service: ServiceType,
  aliases: Readonly<Record<string, string>> = {},
): ServiceDefinition {
  const names = [
    ...Object.keys(service.methods).map((name) => [name, name] as const),
    ...Object.entries(aliases),
  ];
  return Object.fromEntries(
    names.map(([alias, name]) => [
      alias,
      {
        path: `/${service.name}/${alias}`,
        requestStream: service.methods[name]?.isRequestStreaming === true,
        responseStream: service.methods[name]?.isStreaming === true,
        requestSerialize: same,
        requestDeserialize: same,
        responseSerialize: same,
        responseDeserialize: same,
      },
    ]),
  );
}

/** Stands for a (de)serializer: messages stay bytes. */
export function same(bytes: Buffer): Buffer {
  return bytes;
}
