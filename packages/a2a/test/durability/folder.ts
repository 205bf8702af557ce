import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A folder for the files that the processes of a test share; removed when it goes out of scope. */
export async function openFolder() {
  const path = await mkdtemp(join(tmpdir(), "parley-durability-"));
  return {
    file: (name = "parley.db"): string => join(path, name),
    async [Symbol.asyncDispose](): Promise<void> {
      await rm(path, { recursive: true, force: true });
    },
  };
}
