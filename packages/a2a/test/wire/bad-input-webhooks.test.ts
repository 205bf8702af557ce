import { describe, expect, it } from "vitest";
import { codecs } from "../../src/wire/codecs.js";
import type { Dialect } from "../../src/wire/dialect.js";
import { verifies } from "../spec/verifies.js";
import { violation } from "../support/violation.js";
import type { Violation } from "../support/violation.js";
import { dialects, serverCursor } from "./exchange.js";

type Members = Readonly<Record<string, unknown>>;

describe("a webhook", () => {
  const create = (dialect: Dialect, config: unknown, outer: Members = {}): Violation => {
    const nestedForm = { taskId: "t1", pushNotificationConfig: config, ...outer };
    const flat = { taskId: "t1", ...(config as object), ...outer };
    const params = dialect === "1.0" ? flat : nestedForm;
    const read = codecs[dialect].decodeRequest.createTaskPushNotificationConfig;
    return violation(() => read(params, serverCursor()));
  };
  const at = (dialect: Dialect, field: string): string =>
    dialect === "1.0" ? field : `pushNotificationConfig.${field}`;
  const url = "https://a.example/hook";

  it.each(dialects)("is refused under the name that is wrong in dialect %s", (dialect) => {
    verifies("push:url-required", "push:scheme-required");
    const cases: [Members, string][] = [
      [{}, "url"],
      [{ url: "nowhere" }, "url"],
      [{ url: 1 }, "url"],
      [{ url, token: 1 }, "token"],
      [
        { url, authentication: { credentials: "s" } },
        dialect === "1.0" ? "authentication.scheme" : "authentication.schemes",
      ],
      [{ url, authentication: { schemes: [""] } }, "authentication.schemes[0]"],
      [{ url, authentication: { scheme: "x", credentials: 1 } }, "authentication.credentials"],
      [{ url, authentication: "Bearer" }, "authentication"],
      [{ url, id: "a\nb" }, "id"],
    ];
    for (const [config, field] of cases) {
      expect(create(dialect, config)).toMatchObject({
        code: "INVALID_PARAMS",
        field: at(dialect, field),
      });
    }
  });

  it.each([{}, { schemes: [] }])("needs a scheme in 1.0 only: %j", (authentication) => {
    verifies("push:scheme-required");
    const refused = create("1.0", { url, authentication });
    expect(refused.field).toBe("authentication.scheme");
    for (const dialect of dialects.filter((one) => one !== "1.0")) {
      const read = codecs[dialect].decodeRequest.createTaskPushNotificationConfig;
      const params = { taskId: "t1", pushNotificationConfig: { url, authentication } };
      expect(read(params, serverCursor())).toEqual({ taskId: "t1", url });
    }
  });

  it.each<Dialect>(["0.3", "0.3+type", "0.3-schema"])(
    "has headers by name in dialect %s",
    (dialect) => {
      const cases: [string, string][] = [
        ['{"__proto__":"x"}', "headers.__proto__"],
        ['{"\\ud800":"x"}', "headers"],
        ['{"X-Key":1}', "headers.X-Key"],
        ["[]", "headers"],
      ];
      for (const [headers, field] of cases) {
        expect(create(dialect, { url, headers: JSON.parse(headers) }).field).toBe(
          at(dialect, field),
        );
      }
    },
  );

  it.each(dialects)("nested in itself without end is refused in dialect %s", (dialect) => {
    const endless: unknown = JSON.parse(`${'{"config":'.repeat(20_000)}1${"}".repeat(20_000)}`);
    expect(create(dialect, endless).code).toBe("INVALID_PARAMS");
  });

  it.each([
    "tasks/ ",
    "tasks/a\nb",
    `tasks/${"x".repeat(300)}`,
    "tasks/t1/pushNotificationConfigs/ ",
  ])("has ids in its resource name and not %j", (name) => {
    const params = { name, pushNotificationConfig: { url } };
    const read = codecs["0.3-proto"].decodeRequest.createTaskPushNotificationConfig;
    expect(violation(() => read(params, serverCursor()))).toMatchObject({ field: "name" });
  });

  it("has a resource name that is taken apart in no time, whatever it is", () => {
    const name = `tasks/${"/pushNotificationConfigs/".repeat(200_000)}\n`;
    const read = codecs["0.3-proto"].decodeRequest.createTaskPushNotificationConfig;
    const params = { name, pushNotificationConfig: { url } };
    expect(violation(() => read(params, serverCursor())).code).toBe("INVALID_PARAMS");
  });
});
