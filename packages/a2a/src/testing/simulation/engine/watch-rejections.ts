import { inNextTurn } from "./settle-then.js";

interface Platform {
  readonly process?: {
    on(event: "unhandledRejection", listener: (reason: unknown) => void): void;
    off(event: "unhandledRejection", listener: (reason: unknown) => void): void;
  };
}

/** Collects promises that nobody handles, where the platform tells of them. Call the returned function for what was found. */
export function watchRejections(): () => Promise<readonly string[]> {
  const { process } = globalThis as Platform;
  const found: string[] = [];
  const listener = (reason: unknown): void => {
    found.push(reason instanceof Error ? (reason.stack ?? reason.message) : String(reason));
  };
  process?.on("unhandledRejection", listener);
  return async () => {
    // The platform tells at the end of a turn.
    await new Promise<void>(inNextTurn);
    await new Promise<void>(inNextTurn);
    process?.off("unhandledRejection", listener);
    return found;
  };
}
