import { createCardVerifier } from "@parley/a2a/client/signatures";
import type { Fetch } from "@parley/a2a/client";
import type { CheckLine, SignatureCheck } from "../../contract/index.js";
import { isObject } from "../http/read-json.js";

/** Checks the signatures of a card with the keys that its own host publishes, and says what each step found. */
export async function checkSignature(
  document: unknown,
  cardUrl: string,
  fetch: Fetch,
): Promise<SignatureCheck> {
  const signatures = isObject(document) ? document["signatures"] : undefined;
  const list: readonly unknown[] = Array.isArray(signatures) ? signatures : [];
  if (list.length === 0) {
    const detail = "the card carries no signature, which is allowed";
    return { status: "absent", lines: [{ name: "signature", status: "skipped", detail }] };
  }
  const { host } = new URL(cardUrl);
  const lines: CheckLine[] = [
    { name: "signature", status: "passed", detail: `the card carries ${list.length}` },
    ...list.slice(0, 8).flatMap((one) => describeHeader(one, host)),
  ];
  try {
    const verify = createCardVerifier({ keyHosts: [host], fetch });
    const { outcome, reason, kid, form, uncovered } = await verify(document);
    const isGood = outcome === "verified";
    lines.push({
      name: "key",
      status: kid === undefined ? "skipped" : "passed",
      detail: kid === undefined ? "no key decided" : `the key ${kid} of ${host}`,
    });
    lines.push({
      name: "content",
      status: isGood ? "passed" : outcome === "invalid" ? "failed" : "skipped",
      detail: isGood
        ? `the card is as it was signed (${form ?? "canonical form"})`
        : (reason ?? "nothing was compared"),
    });
    if (uncovered !== undefined && uncovered.length > 0) {
      const detail = `the signature does not cover ${uncovered.join(", ")}`;
      lines.push({ name: "coverage", status: "failed", detail });
    }
    return { status: outcome, lines };
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    lines.push({ name: "key", status: "failed", detail: `the keys cannot be fetched: ${detail}` });
    return { status: "unverifiable", lines };
  }
}

/** What the protected header of a signature says, which nobody has verified yet. */
function describeHeader(signature: unknown, host: string): readonly CheckLine[] {
  const header = isObject(signature) ? readHeader(signature["protected"]) : undefined;
  if (header === undefined) {
    const detail = "its protected header is not base64url of a JSON object";
    return [{ name: "header", status: "failed", detail }];
  }
  const { alg, kid, jku } = header;
  const said = [
    `alg ${JSON.stringify(alg ?? null)}`,
    `kid ${JSON.stringify(kid ?? null)}`,
    `jku ${JSON.stringify(jku ?? null)}`,
  ].join(", ");
  const isNamed = typeof alg === "string" && typeof kid === "string";
  const lines: CheckLine[] = [
    { name: "header", status: isNamed ? "passed" : "failed", detail: said },
  ];
  if (typeof jku !== "string") {
    const detail = "the signature names no key set, so its key is not known";
    return [...lines, { name: "key set", status: "skipped", detail }];
  }
  const isOwn = URL.canParse(jku) && new URL(jku).host === host;
  const detail = isOwn
    ? `${jku} is at the card's own host`
    : `${jku} is not at ${host}, which alone is trusted`;
  return [...lines, { name: "key set", status: isOwn ? "passed" : "failed", detail }];
}

function readHeader(text: unknown): Readonly<Record<string, unknown>> | undefined {
  if (typeof text !== "string") return undefined;
  try {
    const value: unknown = JSON.parse(Buffer.from(text, "base64url").toString("utf8"));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
