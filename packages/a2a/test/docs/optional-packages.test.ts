import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import manifest from "../../package.json" with { type: "json" };

const optional = Object.keys(manifest.peerDependenciesMeta);
const forGrpc = optional.filter((name) => name.startsWith("@grpc/") || name === "protobufjs");

it.each(["hosting", "client"])(
  "%s.md says what to install before its first code that speaks gRPC",
  (page) => {
    const text = readFileSync(new URL(`../../../../docs/${page}.md`, import.meta.url), "utf8");
    const [before = ""] = text.split(/^```ts\n(?:(?!```).*\n)*?.*\bgrpc/m);
    expect(before).not.toBe(text);
    expect(before).toContain(`\`npm install ${forGrpc.join(" ")}\``);
  },
);

it("operations.md says what to install for each engine that needs a package", () => {
  const text = readFileSync(new URL("../../../../docs/operations.md", import.meta.url), "utf8");
  const forEngines = optional.filter((name) => !forGrpc.includes(name));
  expect(forEngines.length).toBeGreaterThan(1);
  for (const name of forEngines) expect(text).toContain(`\`npm install ${name}\``);
});
