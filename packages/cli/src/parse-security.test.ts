import { expect, test } from "vitest";
import { parseApiKey, parseProxies, parseSecretKeys, readCertificate } from "./parse-security.js";

const key = Buffer.alloc(32, 7).toString("base64");

test("proxies are addresses and networks; none is none", () => {
  expect(parseProxies([])).toBeUndefined();
  const trusts = parseProxies(["10.0.0.0/8", "loopback"]);
  expect([trusts?.("10.1.2.3"), trusts?.("127.0.0.1"), trusts?.("11.0.0.1")]).toEqual([
    true,
    true,
    false,
  ]);
  expect(() => parseProxies(["proxy.example"])).toThrow(
    '--trust-proxy: "proxy.example" is not an address, nor a network such as 10.0.0.0/8',
  );
});

test("keys are read in their order, with their ids", () => {
  expect(parseSecretKeys(undefined)).toBeUndefined();
  expect(parseSecretKeys("")).toBeUndefined();
  const keys = parseSecretKeys(`b:${key}, a:${key}`);
  expect(keys?.map(({ id, bytes }) => [id, bytes.length])).toEqual([
    ["b", 32],
    ["a", 32],
  ]);
});

test.each(["hush", "a:hush", ":hush", `a b:${key}`, `a:${key},b:hush`])(
  "what is no key is refused without a word of it: %s",
  (text) => {
    expect(() => parseSecretKeys(text)).toThrow(/^PARLEY_SECRET_KEYS, key \d: /);
    expect(() => parseSecretKeys(text)).not.toThrow(/hush|Bwc/);
  },
);

test("a certificate and its key go together", async () => {
  expect(await readCertificate(undefined, undefined)).toBeUndefined();
  await expect(readCertificate("cert.pem", undefined)).rejects.toThrow("go together");
  await expect(readCertificate(undefined, "key.pem")).rejects.toThrow("go together");
});

test("what cannot be read is named, with the option that named it", async () => {
  const here = import.meta.filename;
  const folder = import.meta.dirname;
  await expect(readCertificate("/nowhere/cert.pem", here)).rejects.toThrow(
    /^--tls-cert: cannot read \/nowhere\/cert\.pem \(ENOENT: no such file or directory\)$/,
  );
  await expect(readCertificate(here, folder)).rejects.toThrow(
    `--tls-key: cannot read ${folder} (EISDIR: illegal operation on a directory)`,
  );
});

test("no key is none, and a short one is refused without a word of it", async () => {
  expect(await parseApiKey(undefined)).toBeUndefined();
  expect(await parseApiKey("")).toBeUndefined();
  for (const secret of ["hush", "words with spaces between them", "ä".repeat(30)]) {
    const error = await parseApiKey(secret).catch((thrown: Error) => thrown.message);
    expect(error).toContain("PARLEY_API_KEY must be at least 20 random letters");
    expect(error).not.toContain(secret);
  }
  expect(await parseApiKey("k".repeat(20))).toHaveProperty("hash");
});
