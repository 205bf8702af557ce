import { A2AError } from "../protocol/index.js";
import type { ListTasksQuery } from "../store/index.js";

type Place = NonNullable<ListTasksQuery["after"]>;

/** A place in a list as an opaque token. It is only good for the list it was made for. */
export function encodePageToken(place: Place, list: string): string {
  const bytes = new TextEncoder().encode(JSON.stringify([place.statusAt, place.taskId, list]));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}

export function decodePageToken(token: string, list: string): Place {
  try {
    const binary = atob(token.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
    const value: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    if (Array.isArray(value)) {
      const [statusAt, taskId, madeFor] = value as readonly unknown[];
      if (typeof statusAt === "number" && typeof taskId === "string" && madeFor === list) {
        return { statusAt, taskId };
      }
    }
  } catch {
    // Whatever is wrong with it, the caller is told the same.
  }
  const description = "expected a token from an earlier page of the same list";
  throw new A2AError("INVALID_PARAMS", `pageToken: ${description}`, {
    details: { fieldViolations: [{ field: "pageToken", description }] },
  });
}
