import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

/** The page: static files with relative addresses, so that it works at any path. Vite takes JSX from the page's tsconfig. */
export default defineConfig({
  root: fileURLToPath(new URL("src/page", import.meta.url)),
  base: "./",
  build: {
    outDir: fileURLToPath(new URL("dist/page", import.meta.url)),
    emptyOutDir: true,
    target: "es2022",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
});
