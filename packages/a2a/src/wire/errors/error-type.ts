import type { ErrorCode } from "../../protocol/internal.js";

/** The specification's name for an error, by which the official Python client recognises it: `TaskNotFoundError`. */
export function errorType(code: ErrorCode): string {
  if (code === "PARSE_ERROR") return "JSONParseError";
  const words = code.split("_").map((word) => `${word.slice(0, 1)}${word.slice(1).toLowerCase()}`);
  return `${words.join("")}Error`;
}
