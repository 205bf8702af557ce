import { expect, it } from "vitest";
import type { AgentCard } from "../../protocol/internal.js";
import { chooseInterface } from "./choose-interface.js";
import type { InterfaceChoice } from "./choose-interface.js";
import { refuseInterfaces } from "./refuse-interfaces.js";

function cardOf(
  ...interfaces: readonly (readonly [binding: string, version: string])[]
): AgentCard {
  return {
    name: "Travel",
    description: "Books flights",
    version: "1",
    capabilities: {},
    defaultInputModes: [],
    defaultOutputModes: [],
    skills: [],
    supportedInterfaces: interfaces.map(([protocolBinding, protocolVersion]) => ({
      url: `https://agent.example/${protocolBinding}/${protocolVersion}`,
      protocolBinding,
      protocolVersion,
    })),
  };
}

const web = ["JSONRPC", "HTTP+JSON"];

/** What is said when there is nothing to choose. */
function refused(card: AgentCard, choice: InterfaceChoice = {}): string {
  expect(chooseInterface(card, web, choice)).toBeUndefined();
  return refuseInterfaces(card, web, choice).message;
}

it("takes the card's first interface that it can use", () => {
  const card = cardOf(["GRPC", "1.0"], ["HTTP+JSON", "1.0"], ["JSONRPC", "1.0"]);
  expect(chooseInterface(card, web, {})?.url).toBe("https://agent.example/HTTP+JSON/1.0");
  expect(chooseInterface(card, [...web, "GRPC"], {})?.protocolBinding).toBe("GRPC");
});

it("takes the caller's order of bindings over the card's", () => {
  const card = cardOf(["HTTP+JSON", "1.0"], ["JSONRPC", "0.3"]);
  const chosen = chooseInterface(card, web, { bindings: ["JSONRPC", "HTTP+JSON"] });
  expect(chosen?.url).toBe("https://agent.example/JSONRPC/0.3");
});

it("passes by versions that it may not use, and reads a patch number as none", () => {
  const card = cardOf(["JSONRPC", "2.0"], ["JSONRPC", "0.3.0"], ["JSONRPC", "1.0.1"]);
  expect(chooseInterface(card, web, {})?.protocolVersion).toBe("0.3");
  expect(chooseInterface(card, web, { versions: ["1.0"] })?.protocolVersion).toBe("1.0");
});

it("names what the card offers, what it uses itself and what would help", () => {
  const card = cardOf(["GRPC", "1.0"], ["JSONRPC", "2.0"]);
  expect(refused(card)).toBe(
    "Travel offers GRPC 1.0, JSONRPC 2.0; this client uses JSONRPC, HTTP+JSON in 0.1, 0.2, 0.3, " +
      "1.0; give connect() `transports: grpcTransports()` of @parley/a2a/grpc to use GRPC",
  );
  const older = cardOf(["JSONRPC", "0.3"]);
  expect(refused(older, { versions: ["1.0"] })).toBe(
    "Travel offers JSONRPC 0.3; this client uses JSONRPC, HTTP+JSON in 1.0; " +
      "allow version 0.3 to use JSONRPC",
  );
  expect(refused(cardOf())).toContain("Travel offers nothing");
});
