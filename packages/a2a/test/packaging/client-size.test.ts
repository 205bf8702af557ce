import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { rolldown } from "rolldown";
import { expect, test } from "vitest";

const entry = fileURLToPath(new URL("../../dist/client/index.js", import.meta.url));

/** What is loaded only when an agent needs it. */
const lazy = [
  /earlier-peer-codecs\.js$/,
  /decode-agent-card\.js$/,
  /v1\.0\/agent-card\.js$/,
  /authorized-fetch\.js$/,
];

const maxGzipBytes = 18_500;

test("a client of 1.0 loads no more than it may, and the codecs of earlier versions later", async () => {
  await using build = await rolldown({
    input: entry,
    platform: "browser",
    logLevel: "silent",
    external: lazy,
  });
  const { output } = await build.generate({ format: "esm", minify: true });
  const [bundle, ...others] = output;
  expect(others).toEqual([]);
  expect(bundle.imports).toEqual([]);
  expect(bundle.dynamicImports).toHaveLength(lazy.length);
  expect(Object.keys(bundle.modules).filter((name) => /v0\.1|v0\.3-proto/.test(name))).toEqual([
    expect.stringMatching(/v0\.1\/methods\.js$/),
  ]);
  expect(gzipSync(bundle.code, { level: 9 }).length).toBeLessThan(maxGzipBytes);
});
