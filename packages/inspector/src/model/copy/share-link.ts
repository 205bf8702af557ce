/** Fragments longer than this are cut by some programs that pass links on. */
export const longestFragment = 8192;

/** A recording packed for the fragment of a link; `undefined` where it is too long, and must be sent as a file. */
export async function packShare(recording: string): Promise<string | undefined> {
  const bytes = await through(
    new TextEncoder().encode(recording),
    new CompressionStream("deflate-raw"),
  );
  const packed = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/=+$/, "");
  return packed.length > longestFragment ? undefined : packed;
}

/** More than an honest link holds: a small one may unpack to gigabytes. */
const longestRecording = 4_000_000;

/** The recording of a link. Throws where it is none. */
export async function unpackShare(packed: string): Promise<string> {
  const binary = atob(packed.replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = Uint8Array.from(binary, (char) => char.charCodeAt(0));
  const unpacked = await through(bytes, new DecompressionStream("deflate-raw"));
  return new TextDecoder("utf-8", { fatal: true }).decode(unpacked);
}

async function through(
  bytes: Uint8Array<ArrayBuffer>,
  stream: CompressionStream | DecompressionStream,
): Promise<Uint8Array> {
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > longestRecording) {
      await reader.cancel();
      throw new Error("the link holds more than a recording may have");
    }
    chunks.push(value);
  }
  const whole = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}
