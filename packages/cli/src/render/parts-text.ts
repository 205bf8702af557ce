import type { Part } from "@parley/a2a";
import { textBlock, textLine } from "../output/text-form.js";

/** Parts as text: text as it is, data as JSON, and of files their names, types and sizes. */
export function partsText(parts: readonly Part[]): string {
  const pieces: string[] = [];
  let text = "";
  const endText = (): void => {
    if (text !== "") pieces.push(textBlock("Text", text));
    text = "";
  };
  for (const part of parts) {
    if (part.text !== undefined) {
      text += part.text;
      continue;
    }
    endText();
    if (part.raw !== undefined) pieces.push(textLine("File", describeFile(part, sizeOf(part.raw))));
    else if (part.url !== undefined) pieces.push(textLine("File", describeFile(part, part.url)));
    else pieces.push(textBlock("Data", JSON.stringify(part.data, null, 2)));
  }
  endText();
  return pieces.join("");
}

function describeFile(
  { filename = "unnamed", mediaType = "unknown type" }: Part,
  what: string,
): string {
  return `${filename}, ${mediaType}, ${what}`;
}

/** The size of what base64 text stands for. */
function sizeOf(base64: string): string {
  const bytes = Math.floor((base64.replace(/=+$/, "").length * 3) / 4);
  return `${bytes} ${bytes === 1 ? "byte" : "bytes"}`;
}
