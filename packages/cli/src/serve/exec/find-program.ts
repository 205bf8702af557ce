import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join } from "node:path";
import process from "node:process";
import { UsageError } from "../../usage-error.js";

/** Throws if there is no program of this name, so that the operator learns it before the first caller does. */
export function checkProgram(program: string, option: string): void {
  if (process.platform === "win32") return;
  const hasPath = program.includes("/");
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  const places = hasPath ? [program] : folders.map((folder) => join(folder, program));
  if (places.some(isProgram)) return;
  const where = hasPath ? "" : " in PATH";
  throw new UsageError(`${option}: there is no program ${program}${where} that may be run`, {
    hint: "parley help serve",
  });
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
