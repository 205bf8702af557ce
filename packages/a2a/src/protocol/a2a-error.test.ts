import { describe, expect, it } from "vitest";
import { A2AError, errorCodes, generalErrorCodes, protocolErrorCodes } from "./a2a-error.js";

describe("an A2AError", () => {
  it("has a code, words, details and what caused it", () => {
    const cause = new Error("disk full");
    const details = { metadata: { taskId: "t1" } };
    const error = new A2AError("UNAVAILABLE", "try again", { details, cause });
    expect(error).toBeInstanceOf(Error);
    expect(error).toMatchObject({ name: "A2AError", code: "UNAVAILABLE", message: "try again" });
    expect(error.details).toBe(details);
    expect(error.cause).toBe(cause);
  });

  it("has empty details and no cause unless they are given", () => {
    const error = new A2AError("INTERNAL", "x");
    expect(error.details).toEqual({});
    expect("cause" in error).toBe(false);
  });

  it("keeps an undefined cause, which was a cause all the same", () => {
    expect("cause" in new A2AError("INTERNAL", "x", { cause: undefined })).toBe(true);
  });

  it("never shows its cause in JSON", () => {
    const cause = { password: "secret" };
    expect(JSON.stringify(new A2AError("INTERNAL", "x", { cause }))).not.toContain("secret");
    expect(JSON.stringify(A2AError.from(cause))).not.toContain("secret");
  });
});

describe("A2AError.is", () => {
  /** What another copy of this library throws: the same members, another class. */
  class Foreign extends Error {
    override readonly name = "A2AError";
    readonly details = {};
    readonly code: string;
    constructor(code: string) {
      super("x");
      this.code = code;
    }
  }

  it.each<[string, unknown, boolean]>([
    ["one of its own", new A2AError("INTERNAL", "x"), true],
    ["one of another copy of the library", new Foreign("TASK_NOT_FOUND"), true],
    ["one with a code that does not exist", new Foreign("NO_SUCH_CODE"), false],
    ["another error", new Error("x"), false],
    ["another error with a code", Object.assign(new Error("x"), { code: "INTERNAL" }), false],
    ["an object that looks like one", { name: "A2AError", code: "INTERNAL" }, false],
    ["a string", "A2AError", false],
    ["null", null, false],
    ["nothing", undefined, false],
  ])("recognises %s: %s", (_, value, expected) => {
    expect(A2AError.is(value)).toBe(expected);
  });

  it("and from agree on errors of another copy", () => {
    const foreign = new Foreign("TASK_NOT_FOUND");
    expect(A2AError.from(foreign)).toBe(foreign);
  });
});

describe("A2AError.from", () => {
  it("gives back an A2AError as it is", () => {
    const error = new A2AError("TASK_NOT_FOUND", "x");
    expect(A2AError.from(error)).toBe(error);
  });

  it.each([new TypeError("the password is 1234"), "1234", { pin: 1234 }, null, undefined])(
    "makes INTERNAL of anything else, whose words it keeps to itself",
    (value) => {
      const error = A2AError.from(value);
      expect(error).toMatchObject({ code: "INTERNAL", message: "Internal error", details: {} });
      expect(error.cause).toBe(value);
      expect(JSON.stringify([error, error.message])).not.toContain("1234");
    },
  );
});

describe("the codes", () => {
  it("are those of the protocol and the general ones, each once", () => {
    expect(errorCodes).toEqual([...protocolErrorCodes, ...generalErrorCodes]);
    expect(new Set(errorCodes).size).toBe(errorCodes.length);
    expect(protocolErrorCodes).toHaveLength(9);
  });
});
