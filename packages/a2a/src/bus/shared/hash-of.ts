/** The prime of FNV-1a is this and the bit 40. */
const primeLow = 0x1b3;

/**
 * FNV-1a over the characters of a text: 64 bits as 16 hexadecimal digits. Every platform can do it at once, where digests
 * of the platform's own are promises. Not for secrets.
 */
export function hashOf(text: string): string {
  let high = 0xcbf29ce4 | 0;
  let low = 0x84222325 | 0;
  for (let at = 0; at < text.length; at += 1) {
    low ^= text.charCodeAt(at);
    const lower = (low & 0xffff) * primeLow;
    const upper = (low >>> 16) * primeLow + (lower >>> 16);
    high = (Math.imul(high, primeLow) + (upper >>> 16) + (low << 8)) | 0;
    low = (upper << 16) | (lower & 0xffff);
  }
  return [high >>> 16, high & 0xffff, low >>> 16, low & 0xffff].map(digits).join("");
}

/** Of 16 bits: larger numbers become text slowly. */
function digits(part: number): string {
  return part.toString(16).padStart(4, "0");
}
