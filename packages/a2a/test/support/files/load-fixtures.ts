import { readFileSync, readdirSync } from "node:fs";
import { join, sep } from "node:path";

const root = join(import.meta.dirname, "../../fixtures");

/** A fixture, with its path below its folder as a name for tests. */
export type Named<T> = T & { readonly name: string };

/** Every JSON file of a folder of fixtures that `isWanted` accepts by its path, in order of path. */
export function loadFixtures<T>(
  folder: string,
  isWanted: (path: string) => boolean = () => true,
): readonly Named<T>[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .map((path) => path.replaceAll(sep, "/"))
    .filter((path) => path.endsWith(".json") && isWanted(path))
    .toSorted()
    .map((path) => ({
      ...(JSON.parse(readFileSync(join(root, folder, path), "utf8")) as T),
      name: path.slice(0, -".json".length),
    }));
}
