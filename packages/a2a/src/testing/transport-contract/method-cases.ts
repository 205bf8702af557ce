import type { JsonValue } from "../../protocol/internal.js";
import { assertEqual, assertRefused } from "../assert.js";
import type { Statements } from "../contract-case.js";
import { contractExtension } from "./contract-agent.js";
import type { TransportBench } from "./transport-bench.js";

const values: readonly JsonValue[] = [
  null,
  "",
  "text",
  0,
  -1.5,
  true,
  [],
  [1, null],
  {},
  { a: [{}] },
];

/** Methods that extensions define. */
export const methodCases: Statements<TransportBench> = {
  "a method of an extension is called by its name and answers with JSON": async (bench) => {
    const { service, call } = bench;
    const active = { ...call, extensions: [contractExtension] };
    for (const value of values) {
      const params = { value, method: "x", id: "y" };
      const result = await service.callMethod({ method: "contract/echo", params }, active);
      assertEqual(result, params, "the result");
    }
    assertEqual(await service.callMethod({ method: "Nothing" }, active), null, "nothing at all");
  },

  "a method of an extension gets the version and the tenant of its call": async (bench) => {
    const { service, call, version } = bench;
    const active = { ...call, extensions: [contractExtension] };
    const told = await service.callMethod({ method: "contract/context" }, active);
    assertEqual(told, { version, extensions: [contractExtension] }, "the context");
  },

  "a method of an extension is refused unless the call activates the extension": async (bench) => {
    const { service, call } = bench;
    const calling = service.callMethod({ method: "contract/echo", params: {} }, call);
    await assertRefused(calling, "EXTENSION_SUPPORT_REQUIRED", "the call");
  },

  "a method that no extension defines is not found": async ({ service, call }) => {
    const active = { ...call, extensions: [contractExtension] };
    for (const method of ["contract/other", "contract", "contract/echo/more", "SendMessages"]) {
      await assertRefused(service.callMethod({ method }, active), "METHOD_NOT_FOUND", method);
    }
  },

  "a method of an extension refuses with the error that it throws": async ({ service, call }) => {
    const active = { ...call, extensions: [contractExtension] };
    const refusing = service.callMethod({ method: "contract/refuse" }, active);
    await assertRefused(refusing, "INVALID_PARAMS", "the call");
  },
};
