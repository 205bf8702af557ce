import { A2AError } from "../a2a-error.js";

const maxLength = 64;

/** The kind of an error, for `error.type`: its code, or else the name of its class. Never its words. */
export function errorTypeOf(error: unknown): string {
  if (A2AError.is(error)) return error.code;
  if (error instanceof Error && /^[\w$.]+$/.test(error.name)) return error.name.slice(0, maxLength);
  return "_OTHER";
}
