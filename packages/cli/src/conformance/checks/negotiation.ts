import { unknownTaskId } from "../../probe/probe-message.js";
import { openSession } from "../../probe/session.js";
import type { OutgoingRequest } from "../../probe/tap.js";
import { every, expectThat, overHttp, skip, since02 } from "../check.js";
import type { ConformanceCheck } from "../check.js";
import { told } from "../subject.js";
import type { Subject } from "../subject.js";
import { asObject, errorOf } from "../wire-json.js";

function withVersion(version: string | undefined): (request: OutgoingRequest) => OutgoingRequest {
  return withHeader("A2A-Version", version);
}

function withHeader(
  name: string,
  value: string | undefined,
): (request: OutgoingRequest) => OutgoingRequest {
  return (request) => {
    const headers = new Headers(request.headers);
    if (value === undefined) headers.delete(name);
    else headers.set(name, value);
    return { ...request, headers };
  };
}

function isSecured({ card }: Subject): boolean {
  const { securityRequirements = [] } = card;
  return (
    securityRequirements.length > 0 &&
    securityRequirements.every(({ schemes }) => Object.keys(schemes).length > 0)
  );
}

/** Requirements on versions, extensions, callers and the extended card (§3.3.4, §3.6, §4.6, §7, §13). */
export const negotiationChecks: readonly ConformanceCheck[] = [
  {
    id: "version:unsupported",
    bindings: overHttp,
    async run({ session }) {
      const outcome = await session.call(
        "getTask",
        { id: unknownTaskId() },
        { alter: withVersion("99.0") },
      );
      return expectThat(outcome.error?.code === "VERSION_NOT_SUPPORTED", told(outcome));
    },
  },
  {
    id: "version:patch-ignored",
    bindings: overHttp,
    async run({ session }) {
      const outcome = await session.call(
        "getTask",
        { id: unknownTaskId() },
        { alter: withVersion("1.0.1") },
      );
      return expectThat(
        outcome.error?.code === "TASK_NOT_FOUND",
        `A2A-Version: 1.0.1 is answered with ${told(outcome)}`,
      );
    },
  },
  {
    id: "version:absent",
    bindings: ["JSONRPC"],
    async run({ session, card }) {
      const { url } = session.declared;
      const serves03 = card.supportedInterfaces.some(
        (one) =>
          one.url === url &&
          one.protocolBinding === "JSONRPC" &&
          one.protocolVersion.startsWith("0.3"),
      );
      const alter = (request: OutgoingRequest): OutgoingRequest => {
        const body = { ...asObject(JSON.parse(request.body ?? "{}")), method: "tasks/get" };
        return { ...withVersion(undefined)(request), body: JSON.stringify(body) };
      };
      const { exchange, ...outcome } = await session.call(
        "getTask",
        { id: unknownTaskId() },
        { alter },
      );
      const code = errorOf(exchange)?.["code"];
      const found = `a request of 0.3 without a version: ${code === undefined ? told(outcome) : `code ${JSON.stringify(code)}`}`;
      return expectThat(serves03 ? code === -32_001 : code !== undefined, found);
    },
  },
  {
    id: "extension:required-missing",
    bindings: overHttp,
    async run({ session, card, options }) {
      const required = (card.capabilities.extensions ?? []).filter((one) => one.required === true);
      if (required.length === 0) return skip("the card requires no extension");
      const outcome = await session.call(
        "sendMessage",
        {
          message: {
            messageId: unknownTaskId(),
            role: "ROLE_USER",
            parts: [{ text: options.message }],
          },
        },
        { alter: withHeader("A2A-Extensions", undefined) },
      );
      return expectThat(outcome.error?.code === "EXTENSION_SUPPORT_REQUIRED", told(outcome));
    },
  },
  {
    id: "auth:rejected",
    versions: every,
    async run(subject) {
      if (!isSecured(subject)) return skip("the card requires no credentials");
      const { target, session } = subject;
      const { credentials: _, headers: __, ...anonymous } = target.connect;
      using stranger = await openSession({ ...target, connect: anonymous }, session.declared);
      const outcome = await stranger.call("getTask", { id: unknownTaskId() });
      const { code } = outcome.error ?? {};
      return expectThat(code === "UNAUTHENTICATED" || code === "PERMISSION_DENIED", told(outcome));
    },
  },
  {
    id: "auth:challenge",
    versions: every,
    bindings: overHttp,
    async run(subject) {
      if (!isSecured(subject)) return skip("the card requires no credentials");
      const { target, session } = subject;
      const { credentials: _, headers: __, ...anonymous } = target.connect;
      using stranger = await openSession({ ...target, connect: anonymous }, session.declared);
      const { exchange } = await stranger.call("getTask", { id: unknownTaskId() });
      const challenge = exchange?.headers.get("www-authenticate");
      return expectThat(typeof challenge === "string", challenge ?? "there is no WWW-Authenticate");
    },
  },
  {
    id: "extended-card:undeclared",
    async run({ session, card }) {
      if (card.capabilities.extendedAgentCard === true) return skip("the card declares one");
      const outcome = await session.call("getExtendedAgentCard", {});
      return expectThat(outcome.error?.code === "UNSUPPORTED_OPERATION", told(outcome));
    },
  },
  {
    id: "extended-card:complete",
    versions: since02,
    async run({ session, card }) {
      if (card.capabilities.extendedAgentCard !== true) return skip("the card declares none");
      const outcome = await session.call("getExtendedAgentCard", {});
      if (outcome.error?.code === "UNAUTHENTICATED") return skip("it is kept for known callers");
      return expectThat(outcome.result !== undefined, outcome.result?.name ?? told(outcome));
    },
  },
];
