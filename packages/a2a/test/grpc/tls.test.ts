import { ChannelCredentials } from "@grpc/grpc-js";
import { expect, test } from "vitest";
import { createGrpcTransport } from "../../src/grpc/index.js";
import { addressOf, openServed } from "../support/servers/open-served.js";
import { readTls } from "../support/files/tls.js";
import { verifies } from "../spec/verifies.js";

test("gRPC has the certificate of HTTP, and is not spoken without TLS", async () => {
  verifies("grpc:tls", "security:encrypted-transport");
  const key = readTls("localhost-key");
  const cert = readTls("localhost-cert");
  await using serving = await openServed({ tls: { key, cert } });
  const request = {
    message: { messageId: "m", role: "ROLE_USER" as const, parts: [{ text: "echo hello" }] },
  };
  using secure = createGrpcTransport({
    address: addressOf(serving),
    version: "1.0",
    credentials: ChannelCredentials.createSsl(cert),
  });
  const { message } = await secure.sendMessage(request, { version: "1.0" });
  expect(message?.parts).toEqual([{ text: "hello" }]);
  using plain = createGrpcTransport({
    address: addressOf(serving),
    version: "1.0",
    timeoutMs: 2000,
  });
  await expect(plain.sendMessage(request, { version: "1.0" })).rejects.toMatchObject({
    code: "UNAVAILABLE",
  });
});
