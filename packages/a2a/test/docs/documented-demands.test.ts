import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { standardScopes } from "../../src/auth/guard/authorize.js";
import { defaultSettings } from "../../src/server/settings.js";
import { verifies } from "../spec/verifies.js";

function page(name: string): string {
  return readFileSync(join(import.meta.dirname, "../../../../docs", name), "utf8");
}

it("the page on authorization says what each scope allows, the extended card included", () => {
  verifies("auth:model-documented", "extended-card:documented-levels");
  const text = page("authorization.md");
  const scopes = new Set(Object.values(standardScopes).flat());
  const described = new Map(
    Array.from(
      text.matchAll(/^\| `(a2a:\w+)` *\| (.+?) *\|$/gm),
      ([, scope = "", words = ""]) => [scope, words] as const,
    ),
  );
  expect([...described.keys()].toSorted()).toEqual([...scopes].toSorted());
  expect(described.get(standardScopes.getExtendedAgentCard[0] ?? "")).toContain("extended card");
  expect(text).toContain(defaultSettings.operatorScope);
});

it("the page on limits says when tasks, and with them their contexts, are deleted", () => {
  verifies("context:expiry-documented");
  expect(page("limits.md")).toMatch(/^\| `settings\.retentionMs` .*an ended task is deleted/m);
  expect(defaultSettings.retentionMs).toBeUndefined();
});
