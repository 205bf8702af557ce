import { watch } from "node:fs";
import type { FSWatcher } from "node:fs";
import { basename, dirname } from "node:path";

/** Notices when files change. Folders are watched, because editors replace files and do not write into them. */
export class FileWatch implements Disposable {
  readonly #folders = new Map<
    string,
    { readonly names: Set<string>; readonly watcher: FSWatcher }
  >();
  readonly #onChange: (path: string) => void;

  constructor(onChange: (path: string) => void) {
    this.#onChange = onChange;
  }

  add(path: string): void {
    const folder = dirname(path);
    const name = basename(path);
    const known = this.#folders.get(folder);
    if (known !== undefined) {
      known.names.add(name);
      return;
    }
    const names = new Set([name]);
    const watcher = watch(folder, (_, changed) => {
      if (changed === null || names.has(changed)) this.#onChange(path);
    });
    // A folder that is gone has nothing more to tell.
    watcher.on("error", () => watcher.close());
    this.#folders.set(folder, { names, watcher });
  }

  [Symbol.dispose](): void {
    for (const { watcher } of this.#folders.values()) watcher.close();
    this.#folders.clear();
  }
}
