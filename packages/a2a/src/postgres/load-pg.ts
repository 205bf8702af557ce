import type pg from "pg";
import { A2AError } from "../protocol/internal.js";

/** The driver is an optional peer: who keeps tasks elsewhere does not install it. */
export async function loadPg(): Promise<typeof pg> {
  try {
    return (await import("pg")).default;
  } catch (cause) {
    const isMissing =
      cause instanceof Error && "code" in cause && cause.code === "ERR_MODULE_NOT_FOUND";
    if (!isMissing) throw cause;
    throw new A2AError("UNAVAILABLE", "PostgreSQL needs one more package: npm install pg", {
      cause,
    });
  }
}
