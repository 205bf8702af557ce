import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface Folder extends AsyncDisposable {
  readonly path: string;
  /** The path of a file in the folder; that of a store when no name is given. */
  file(name?: string): string;
}

/** Makes a temporary folder for the files of a test, and removes it when it goes out of scope. */
export async function openFolder(): Promise<Folder> {
  const path = await mkdtemp(join(tmpdir(), "parley-test-"));
  return {
    path,
    file: (name = "parley.db") => join(path, name),
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true, maxRetries: 3 }),
  };
}
