import { expect, it } from "vitest";
import { parseAddress } from "./parse-address.js";

it.each([
  ["https://agent.example", "agent.example:443", true],
  ["grpcs://agent.example:50051/", "agent.example:50051", true],
  ["HTTP://agent.example", "agent.example:80", false],
  ["grpc://agent.example:50051", "agent.example:50051", false],
  ["grpcs://[2001:db8::1]", "[2001:db8::1]:443", true],
])("does what %s says, whatever is done with addresses that say nothing", (address, ...told) => {
  const [host, isSecure] = told;
  for (const bareAddress of ["tls", "plaintext", undefined] as const) {
    expect(parseAddress(address, bareAddress)).toEqual({ host, isSecure, isTrusted: true });
  }
});

it("speaks to an address that says nothing as it is told", () => {
  const host = "agent.example:50051";
  expect(parseAddress(host, "tls")).toEqual({ host, isSecure: true, isTrusted: true });
  expect(parseAddress(host, "plaintext")).toEqual({ host, isSecure: false, isTrusted: true });
  expect(parseAddress(host)).toEqual({ host, isSecure: false, isTrusted: false });
});

it.each([
  ["localhost:50051", true],
  ["LOCALHOST", true],
  ["127.0.0.1:50051", true],
  ["127.8.9.10:50051", true],
  ["[::1]:50051", true],
  ["unix:/run/agent.sock", true],
  ["agent.example:50051", false],
  ["localhost.agent.example:50051", false],
  ["127.0.0.1.agent.example:50051", false],
  ["127.agent.example:50051", false],
  ["localhost:1@agent.example:50051", false],
  ["127.0.0.1:1,192.0.2.1:1", false],
  ["ipv4:127.0.0.1:1,192.0.2.1:1", false],
  ["dns://192.0.2.1/localhost:50051", false],
  ["[::2]:50051", false],
  ["0.0.0.0:50051", false],
])("knows whether %s is this machine: %s", (address, isTrusted) => {
  expect(parseAddress(address)).toEqual({ host: address, isSecure: false, isTrusted });
});
