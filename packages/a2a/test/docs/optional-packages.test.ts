import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import manifest from "../../package.json" with { type: "json" };

const optional = Object.keys(manifest.peerDependenciesMeta).join(" ");

it.each(["hosting", "client"])(
  "%s.md says what to install before its first code that speaks gRPC",
  (page) => {
    const text = readFileSync(new URL(`../../../../docs/${page}.md`, import.meta.url), "utf8");
    const [before = ""] = text.split(/^```ts\n(?:(?!```).*\n)*?.*\bgrpc/m);
    expect(before).not.toBe(text);
    expect(before).toContain(`\`npm install ${optional}\``);
  },
);
