import { describe, expect, it } from "vitest";
import type {
  JsonObject,
  Operation,
  ProtocolOperation,
  UnaryOperation,
} from "../../src/protocol/internal.js";
import { buildRestRequest } from "../../src/wire/rest/build-rest-request.js";
import type { KnownIds } from "../../src/wire/codec.js";
import { codecs } from "../../src/wire/codecs.js";
import type { Dialect } from "../../src/wire/dialect.js";
import {
  encodeJsonRpcRequest,
  parseJsonRpcRequest,
} from "../../src/wire/detect/json-rpc-envelope.js";
import { methods as oldestMethods } from "../../src/wire/v0.1/methods.js";
import { methods as earlierMethods } from "../../src/wire/v0.3/methods.js";
import { methods as currentMethods } from "../../src/wire/v1.0/methods.js";
import { verifies } from "../spec/verifies.js";
import { loadFixtures } from "../support/files/load-fixtures.js";
import {
  detectMethod,
  detectPath,
  peerCursor,
  printEvent,
  readEvent,
  readRequest,
} from "./read.js";

/** An object in one dialect. */
interface Form {
  readonly dialect: Dialect;
  readonly wire: JsonObject;
  /** The REST method and path of a request; it is a JSON-RPC request without them. */
  readonly route?: string;
  /** The media type of a push notification. */
  readonly contentType?: string;
  /** What this form stands for, where that is not the model of the fixture. */
  readonly model?: JsonObject;
  /** What a reader makes of it, where the dialect cannot say all of the model; `because` says why. */
  readonly reads?: JsonObject;
  /** What is written, where it differs from what is also read; `because` says why. */
  readonly writes?: JsonObject;
  readonly because?: string;
  /** It is a form for readers of another dialect; nobody writes it in this one. */
  readonly readOnly?: boolean;
}

interface Fixture {
  readonly source: string;
  readonly what: "request" | "result" | "event" | "push" | "card";
  readonly operation?: Operation;
  readonly model: JsonObject;
  /** The task that a push notification is about. */
  readonly task?: JsonObject;
  readonly forms: readonly Form[];
}

const fixtures = [
  ...loadFixtures<Fixture>("appendix").map((one) => ({ ...one, name: `appendix/${one.name}` })),
  ...loadFixtures<Fixture>("dialects").map((one) => ({ ...one, name: `dialects/${one.name}` })),
];

const cases = fixtures.flatMap((fixture) =>
  fixture.forms.map((form) => ({
    fixture,
    form,
    title: `${fixture.source} in ${form.dialect}${form.route ? ` at ${form.route}` : ""}`,
  })),
);

describe("reading", () => {
  it.each(cases)("gives the same model: $title", ({ fixture, form }) => {
    expect(read(fixture, form)).toStrictEqual(form.reads ?? form.model ?? fixture.model);
  });
});

describe("writing", () => {
  it.each(cases.filter(({ form }) => form.readOnly !== true))(
    "gives the literal: $title",
    ({ fixture, form }) => {
      expect(write(fixture, form)).toStrictEqual(form.writes ?? form.wire);
    },
  );

  it("gives in 1.0 the model itself", () => {
    verifies("json:camel-case", "json:enum-names", "json:no-kind");
    const [task] = fixtures.filter(({ name }) => name === "dialects/task");
    const [form] = task?.forms.filter(({ dialect }) => dialect === "1.0") ?? [];
    expect(task && form && write(task, form)).toStrictEqual(task?.model);
  });
});

describe("the fixtures", () => {
  it("say why wherever reading and writing are not each other's reverse", () => {
    const unexplained = cases.filter(
      ({ form }) => (form.reads ?? form.writes) !== undefined && form.because === undefined,
    );
    expect(unexplained.map(({ title }) => title)).toEqual([]);
  });

  it.each(["appendix/canceled-task", "dialects/task"])("have %s in every dialect", (name) => {
    const forms = fixtures.find((fixture) => fixture.name === name)?.forms ?? [];
    expect(forms.map(({ dialect }) => dialect)).toEqual(Object.keys(codecs));
  });
});

function read({ what, operation, model }: Fixture, { dialect, route, wire }: Form): unknown {
  const { decodeResult, decodePushPayload, decodeAgentCard } = codecs[dialect];
  const json = JSON.parse(JSON.stringify(wire)) as unknown;
  switch (what) {
    case "request": {
      if (route !== undefined) {
        const detected = detectPath(route, { body: json });
        expect(detected).toMatchObject({ dialect, operation });
        return readRequest(dialect, detected.operation, detected.params);
      }
      const { method, params } = parseJsonRpcRequest(json);
      const detected = detectMethod(method, { params });
      expect(detected).toEqual({ dialect, operation });
      return readRequest(dialect, detected.operation, params);
    }
    case "result":
      return decodeResult[operation as UnaryOperation](json, peerCursor(), {});
    case "event": {
      const { contextId } = (model["statusUpdate"] ?? model["artifactUpdate"]) as Required<
        Omit<KnownIds, "config">
      >;
      return readEvent(dialect, json, { contextId });
    }
    case "push":
      return decodePushPayload(json, peerCursor());
    case "card":
      return decodeAgentCard(json, peerCursor());
  }
}

function write({ what, operation, ...fixture }: Fixture, form: Form): unknown {
  const { dialect, route, contentType, model = fixture.model } = form;
  const codec = codecs[dialect];
  switch (what) {
    case "request": {
      const named = operation as ProtocolOperation;
      const params = codec.encodeRequest[named](model as never);
      if (route === undefined) return encodeJsonRpcRequest(1, methodOf(dialect, named), params);
      const { httpMethod, path, query, body } = buildRestRequest(dialect, named, params);
      expect(`${httpMethod} ${path}${query}`).toBe(route);
      return body;
    }
    case "result":
      return codec.encodeResult[operation as UnaryOperation](model as never, {} as never);
    case "event": {
      const events = printEvent(dialect, model as never, { final: false, artifactIndex: () => 0 });
      expect(events).toHaveLength(1);
      return events[0];
    }
    case "push": {
      const payload = codec.encodePushPayload(model as never, fixture.task as never);
      expect(payload.contentType).toBe(contentType);
      return payload.body;
    }
    case "card":
      return codec.encodeAgentCard(model as never);
  }
}

function methodOf(dialect: Dialect, operation: ProtocolOperation): string {
  const methods = { "0.1": oldestMethods, "0.3": earlierMethods, "1.0": currentMethods };
  return methods[dialect as keyof typeof methods][operation] ?? "";
}
