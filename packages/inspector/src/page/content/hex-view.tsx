import type { ComponentChild } from "preact";
import { hexLines } from "../../model/content/part-content.js";

const shown = 256;

/** The first bytes of a file that has no preview. */
export function HexView({ bytes }: { readonly bytes: Uint8Array }): ComponentChild {
  return (
    <pre class="code" tabIndex={0}>
      {hexLines(bytes.subarray(0, shown)).join("\n")}
      {bytes.length > shown ? `\n… ${(bytes.length - shown).toLocaleString("en")} more bytes` : ""}
    </pre>
  );
}
