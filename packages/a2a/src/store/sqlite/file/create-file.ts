import { open } from "node:fs/promises";

/**
 * Creates the file of a store, unless it is there, for its owner alone, whatever the umask: tasks are private. SQLite
 * gives the files beside it the same mode. A file that is there keeps its mode.
 */
export async function createFile(path: string): Promise<void> {
  const file = await open(path, "wx", 0o600).catch((error: unknown) => {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return undefined;
    throw error;
  });
  if (file === undefined) return;
  try {
    await file.chmod(0o600);
  } finally {
    await file.close();
  }
}
