import type { Part } from "@parley/a2a";

/** Reads files into parts of a message. */
export function readFiles(files: FileList): Promise<readonly Part[]> {
  return Promise.all([...files].map(readFile));
}

function readFile(file: File): Promise<Part> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener("error", () => reject(new Error(`cannot read ${file.name}`)));
    reader.addEventListener("load", () => {
      const url = reader.result as string;
      resolve({
        raw: url.slice(url.indexOf(",") + 1),
        filename: file.name,
        mediaType: file.type === "" ? "application/octet-stream" : file.type,
      });
    });
    reader.readAsDataURL(file);
  });
}
