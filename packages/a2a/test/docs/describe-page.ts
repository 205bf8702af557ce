import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openCode } from "./documented-code.js";
import type { DocumentedCode } from "./documented-code.js";

/**
 * Says what the code of a page does. It has to compile under `strict`, and the tests have to run every block of it;
 * `open` gives the code once tests run. A page that asks for more compiler options than the README says so.
 */
export function describePage(
  page: string,
  tests: (open: () => DocumentedCode) => void,
  compilerOptions: Readonly<Record<string, unknown>> = {},
): void {
  describe(page, () => {
    let code: DocumentedCode;
    beforeAll(async () => {
      code = await openCode(page, compilerOptions);
    });
    afterAll(() => code[Symbol.asyncDispose]());

    it("has code that compiles under strict", () => {
      expect(code.complaints).toBe("");
    });
    tests(() => code);
    it("has no code that these tests do not run", () => {
      expect(code.notRun).toEqual([]);
    });
  });
}
