import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The path of a certificate or key among the fixtures, such as `localhost-cert`. */
export function tlsPath(name: string): string {
  return fileURLToPath(new URL(`../../fixtures/tls/${name}.pem`, import.meta.url));
}

/** A certificate or key among the fixtures, such as `localhost-cert`. */
export function readTls(name: string): Buffer {
  return readFileSync(tlsPath(name));
}
