import { describe, expect, it } from "vitest";
import {
  currentCard,
  draftCard,
  earlierCard,
  looseCard,
  oldestCard,
  translatorCard,
} from "../../../test/fixtures/agent-cards.js";
import { A2AError } from "../../protocol/internal.js";
import { createCardVersionError, inferCardVersion } from "./card-version.js";

const url = "https://a.example/";
const undescribed = { url, skills: [{ id: "s", name: "S" }] };

describe("the version of a card", () => {
  it.each<[string, unknown, string]>([
    ["interfaces", currentCard, "1.0"],
    ["interfaces beside the members of 0.3", { ...earlierCard, ...currentCard }, "1.0"],
    ["interfaces in snake_case", { supported_interfaces: [{ url }] }, "1.0"],
    ["interfaces under the name of the drafts", draftCard, "1.0"],
    ["an empty list of interfaces and no url", { supportedInterfaces: [] }, "1.0"],
    ["an empty list of interfaces and a url", { url, supportedInterfaces: [] }, "0.2"],
    ["a protocolVersion", earlierCard, "0.3"],
    ["a protocolVersion of 0.2.5", { url, protocolVersion: "0.2.5" }, "0.2"],
    ["a protocolVersion in snake_case", { url, protocol_version: "0.2.6" }, "0.2"],
    ["a protocolVersion that is none", { url, protocolVersion: "latest" }, "0.2"],
    ["a preferred transport", { url, preferredTransport: "GRPC" }, "0.2"],
    ["additional interfaces", { url, additionalInterfaces: [] }, "0.2"],
    ["security schemes", looseCard, "0.2"],
    ["security schemes beside authentication", { ...oldestCard, securitySchemes: {} }, "0.2"],
    ["a list of authentication schemes", oldestCard, "0.1"],
    ["a single authentication scheme", { url, authentication: { type: "http" } }, "0.2"],
    ["no authentication", translatorCard, "0.2"],
    ["nothing but a url", { url }, "0.2"],
    ["undescribed skills", undescribed, "0.2"],
    ["no object", [], "0.2"],
  ])("with %s is inferred", (_, card, version) => {
    expect(inferCardVersion(card)).toBe(version);
  });

  it.each([
    ["agent.json", undescribed, "0.1"],
    ["agent.json", { url, skills: [{ description: "d" }] }, "0.2"],
    ["agent-card.json", undescribed, "0.2"],
  ] as const)("served at %s depends on whether skills are described", (path, card, version) => {
    expect(inferCardVersion(card, path)).toBe(version);
  });

  it("is named in the refusal of a card that has no interface for it", () => {
    const error = createCardVersionError(
      { ...currentCard, supportedInterfaces: currentCard.supportedInterfaces.slice(0, 1) },
      "0.3",
    );
    expect(error).toBeInstanceOf(A2AError);
    expect(error.message).toBe('"A" has no interface for version 0.3; it offers JSONRPC 1.0');
    expect(error.details.metadata).toEqual({ requestedVersion: "0.3", supportedVersions: "1.0" });
  });
});
