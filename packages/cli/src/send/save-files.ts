import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { bytesOf } from "@parley/a2a";
import type { Artifact, Part } from "@parley/a2a";
import { CliError } from "../output/cli-error.js";

/** A file to write. */
export interface NewFile {
  readonly name: string;
  readonly content: string | Uint8Array;
}

/** The parts of artifacts as files, and the links of those that are elsewhere. */
export function filesOf(artifacts: readonly Artifact[]): {
  readonly files: readonly NewFile[];
  readonly links: readonly string[];
} {
  const taken = new Set<string>();
  const files: NewFile[] = [];
  const links: string[] = [];
  for (const { artifactId, name, parts } of artifacts) {
    // A text that came in chunks is one file.
    const texts = parts.filter(({ text }) => text !== undefined);
    const whole = texts.map(({ text = "" }) => text).join("");
    const first = texts[0];
    const add = (wanted: string, content: NewFile["content"]): void => {
      files.push({ name: freeName(safeName(wanted), taken), content });
    };
    if (first !== undefined)
      add(first.filename ?? withExtension(name ?? artifactId, ".txt"), whole);
    for (const part of parts) {
      if (part.url !== undefined) links.push(part.url);
      if (part.raw !== undefined) add(part.filename ?? name ?? artifactId, rawBytes(part));
      if (part.data !== undefined) {
        const json = `${JSON.stringify(part.data, null, 2)}\n`;
        add(part.filename ?? withExtension(name ?? artifactId, ".json"), json);
      }
    }
  }
  return { files, links };
}

function rawBytes(part: Part): Uint8Array {
  return bytesOf(part);
}

function withExtension(name: string, extension: string): string {
  return /\.\w+$/.test(name) ? name : `${name}${extension}`;
}

/** The last piece of a name that an agent chose, without what could lead out of the folder or hide the file. */
function safeName(name: string): string {
  const last = name.split(/[/\\]/).at(-1) ?? "";
  const plain = last.replaceAll(/[\p{Cc}<>:"|?*]/gu, "_").replace(/^\.+/, "");
  return plain.trim().slice(0, 200) || "file";
}

function freeName(name: string, taken: Set<string>): string {
  const [, stem = name, extension = ""] = /^(.+?)(\.\w+)?$/.exec(name) ?? [];
  let free = name;
  for (let count = 2; taken.has(free); count += 1) free = `${stem}-${count}${extension}`;
  taken.add(free);
  return free;
}

/** How files are written. */
export interface SaveOptions {
  readonly folder: string;
  /** Replaces files that are there already. */
  readonly force: boolean;
  /** The command that replaces them. */
  readonly hint: string;
}

/** Writes a file into a folder and returns its path. Replaces no file unless it is told to. */
export async function saveFile(
  { name, content }: NewFile,
  { folder, force, hint }: SaveOptions,
): Promise<string> {
  const path = join(folder, name);
  await mkdir(folder, { recursive: true });
  await writeFile(path, content, { flag: force ? "w" : "wx" }).catch(
    (cause: NodeJS.ErrnoException) => {
      const reason =
        cause.code === "EEXIST" ? "it is there already; --force replaces it" : cause.message;
      const message = `cannot write ${path}: ${reason}`;
      throw new CliError("A2ACLI_ERR_INTERNAL", message, { hint, cause });
    },
  );
  return path;
}
