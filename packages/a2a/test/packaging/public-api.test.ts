import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";

interface Api {
  readonly readPublicApi: (folder: string) => readonly {
    readonly paragraph: string;
    readonly groups: readonly {
      readonly title: string;
      readonly names: readonly {
        readonly name: string;
        readonly signature: string;
        readonly sentence: string;
        readonly hidden: readonly string[];
        readonly parents: readonly string[];
        readonly members: readonly { readonly signature: string; readonly sentence: string }[];
      }[];
    }[];
  }[];
}

const script = new URL("../../scripts/public-api.mjs", import.meta.url).href;

/** A package of one entry; removed when it goes out of scope. */
async function openPackage(index: string, declarations: Readonly<Record<string, string>>) {
  const folder = await mkdtemp(join(tmpdir(), "parley-api-"));
  const files = {
    "package.json": JSON.stringify({ name: "planted", exports: { ".": "./dist/index.js" } }),
    "src/index.ts": index,
    "dist/index.d.ts": index,
    ...declarations,
  };
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  const { readPublicApi } = (await import(script)) as Api;
  return {
    read: () => readPublicApi(folder),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  };
}

const index = `/**
 * What it is
 * for.
 */

// Open it
export { close, open, size } from "./door.js";
export type { Door, Handle, Key } from "./door.js";
`;

const door = `import type { Hidden } from "./hidden.js";
/** Opens a door, e.g. of a house. Then closes it. */
export declare function open({ key, timeoutMs }: Hidden, door?: Door): Promise<Door>;
/** What opens: a name (§1.2) and a place. */
export interface Key extends Hidden {
    readonly name: string;
    /** Turns it; true when {a} door > opens. And so on. */
    readonly turn: <T>(times?: number) => Promise<T>;
    other?: never;
}
/**
 * A door. It has two sides:
 *
 * @example
 * open(key);
 */
export declare class Door extends Map<string, Key> {
    #private;
    constructor(key: Key);
    /** Closes it. */
    close(hidden: Hidden): void;
}
export declare const size: 4;
/** Closes it. */
export declare function close(): Promise<Hidden | Door>;
/** A part of a door */
export type Handle = {
    readonly shape: "round";
} | undefined;
`;

const hidden = `/** Not exported. */
export interface Hidden {
    /** How heavy it is. */
    readonly weight: { readonly grams: number };
}
`;

test("reads names in their groups, on one line, with the first sentence of their comments", async () => {
  const declarations = { "dist/door.d.ts": door, "dist/hidden.d.ts": hidden };
  await using planted = await openPackage(index, declarations);
  const [entry] = planted.read();
  expect(entry?.paragraph).toBe("What it is for.");
  const names = entry?.groups.flatMap((group) =>
    group.names.map(({ signature, sentence }) => [group.title, signature, sentence]),
  );
  expect(names).toEqual([
    ["Open it", "function close()", "Closes it."],
    ["Open it", "function open(hidden, door?): Promise<Door>", "Opens a door, e.g. of a house."],
    ["Open it", "const size: 4", ""],
    ["Open it", "interface Door extends Map<string, Key>", "A door."],
    ["Open it", 'type Handle = { readonly shape: "round" } | undefined', "A part of a door"],
    ["Open it", "interface Key", "What opens: a name (§1.2) and a place."],
  ]);
});

test("finds what a function returns and no entry exports", async () => {
  const declarations = { "dist/door.d.ts": door, "dist/hidden.d.ts": hidden };
  await using planted = await openPackage(index, declarations);
  const names = planted.read().flatMap(({ groups }) => groups.flatMap((group) => group.names));
  const found = names.filter((one) => one.hidden.length > 0);
  expect(found.map((one) => [one.name, ...one.hidden])).toEqual([["close", "Hidden"]]);
});

test("refuses declarations that are older than their index.ts", async () => {
  const declarations = {
    "dist/index.d.ts": `export { open } from "./door.js";\n`,
    "dist/door.d.ts": door,
    "dist/hidden.d.ts": hidden,
  };
  await using planted = await openPackage(index, declarations);
  expect(planted.read).toThrow(/build first/);
});

test("reads the members of interfaces and classes, with those of types that no entry exports", async () => {
  const declarations = { "dist/door.d.ts": door, "dist/hidden.d.ts": hidden };
  await using planted = await openPackage(index, declarations);
  const names = planted.read().flatMap(({ groups }) => groups.flatMap((group) => group.names));
  const found = names.filter(({ members }) => members.length > 0);
  expect(found.map(({ name, members, parents }) => [name, parents, members])).toEqual([
    ["Door", ["Map<string, Key>"], [{ signature: "close(hidden): void", sentence: "Closes it." }]],
    [
      "Key",
      [],
      [
        { signature: "name: string", sentence: "" },
        {
          signature: "turn<T>(times?: number): Promise<T>",
          sentence: "Turns it; true when {a} door > opens.",
        },
        { signature: "weight: { readonly grams: number }", sentence: "How heavy it is." },
      ],
    ],
  ]);
});
