/** Builds the page into dist/page, unless what is there is newer than all it is made of. */
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const home = fileURLToPath(new URL("../", import.meta.url));
const page = join(home, "dist/page/index.html");

if (!isFresh()) {
  const { build } = await import("vite");
  await build({ configFile: join(home, "vite.config.ts"), logLevel: "warn" });
}

function isFresh() {
  const built = statSync(page, { throwIfNoEntry: false })?.mtimeMs;
  return built !== undefined && sources().every((path) => statSync(path).mtimeMs < built);
}

/** What the page is made of: its own files, the model, the library that it bundles, and how all that is built. */
function sources() {
  const library = join(home, "../a2a/dist");
  return [
    fileURLToPath(import.meta.url),
    join(home, "vite.config.ts"),
    join(home, "package.json"),
    ...filesIn(join(home, "src/page")),
    ...filesIn(join(home, "src/model")),
    ...["protocol", "wire", "store"]
      .flatMap((layer) => filesIn(join(library, layer)))
      .filter((path) => path.endsWith(".js")),
  ];
}

function filesIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
