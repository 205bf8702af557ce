import { spawnSync } from "node:child_process";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { verifies } from "../spec/verifies.js";

test("the generated code is what the proto files give", () => {
  verifies("binding:types-from-proto");
  const script = fileURLToPath(new URL("../../scripts/generate-grpc.mjs", import.meta.url));
  const { status, stderr } = spawnSync(process.execPath, [script, "--check"], { encoding: "utf8" });
  expect(stderr).toBe("");
  expect(status).toBe(0);
});
