import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { mkdir, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

/** How a caller has signed in to an agent. Tokens are in another file, under keys that follow from this. */
export interface Login {
  readonly flow: "deviceCode" | "clientCredentials";
  readonly clientId: string;
  readonly issuer?: string;
  readonly scopes: readonly string[];
}

/** Sign-ins by the origin of the agent. */
export type Logins = Readonly<Record<string, Login>>;

const loginsPath = (configFolder: string): string => join(configFolder, "logins.json");

/** Where tokens are kept. */
export function tokensPath(configFolder: string): string {
  return join(configFolder, "tokens.json");
}

/** The sign-ins that are kept; none where there is no file. */
export function readLogins(configFolder: string): Logins {
  try {
    return JSON.parse(readFileSync(loginsPath(configFolder), "utf8")) as Logins;
  } catch {
    return {};
  }
}

/** Keeps a sign-in, in a file that only its owner can read. */
export async function saveLogin(configFolder: string, origin: string, login: Login): Promise<void> {
  const path = loginsPath(configFolder);
  const logins = { ...readLogins(configFolder), [origin]: login };
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}.${randomUUID()}`;
  await writeFile(draft, `${JSON.stringify(logins, null, 2)}\n`, { mode: 0o600, flag: "wx" });
  await rename(draft, path);
}
