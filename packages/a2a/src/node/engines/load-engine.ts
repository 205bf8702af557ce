/** Loads an engine on demand: its package is optional. Throws with what to install if it is missing. */
export async function loadEngine<Engine>(
  load: () => Promise<Engine>,
  { engine, install }: { readonly engine: string; readonly install: string },
): Promise<Engine> {
  try {
    return await load();
  } catch (cause) {
    const isMissing =
      cause instanceof Error && "code" in cause && cause.code === "ERR_MODULE_NOT_FOUND";
    if (!isMissing) throw cause;
    throw new Error(`${engine} needs one more package: npm install ${install}`, { cause });
  }
}

/** What to install for PostgreSQL. */
export const postgresEngine = { engine: "PostgreSQL", install: "pg" };
