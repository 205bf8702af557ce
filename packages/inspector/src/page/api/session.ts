import { signal } from "@preact/signals";
import type { ReadonlySignal } from "@preact/signals";
import type { Problem, Refused, Session, SessionRequest } from "../../contract/index.js";

const storedAs = "parley-inspector-session";
const token = signal<string | undefined>(sessionStorage.getItem(storedAs) ?? undefined);

/** The token of this tab. Absent until a link with a valid code was opened. */
export const sessionToken: ReadonlySignal<string | undefined> = token;

/** What the backend asks for beside what it was shown. */
export interface Asked {
  readonly needs: "key" | "operator";
  readonly shown: SessionRequest;
  /** What was wrong with what it was shown. */
  readonly problem: Problem;
}

const asking = signal<Asked | undefined>(undefined);

/** What a backend that other machines reach asks for beside the code of a link. */
export const askedAtDoor: ReadonlySignal<Asked | undefined> = asking;

/**
 * Takes the one-time code out of the address, `#code=…`, and exchanges it for a token. The code is gone from the address
 * and the history before anything else happens. Returns whether there was a valid one.
 */
export async function openSession(): Promise<boolean> {
  const found = /[#?&]code=([^&]+)/.exec(location.hash);
  if (found?.[1] === undefined) return false;
  const rest = location.hash.replace(/([#?&])code=[^&]+&?/, "$1").replace(/[#?&]$/, "");
  history.replaceState(null, "", `${location.pathname}${location.search}${rest}`);
  dispatchEvent(new HashChangeEvent("hashchange"));
  return exchange({ code: decodeURIComponent(found[1]) });
}

/** Exchanges a code for a token. A backend that other machines reach asks for more beside it. */
export async function exchange(shown: SessionRequest): Promise<boolean> {
  const answer = await fetch(new URL("api/session", document.baseURI), {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(shown),
  });
  const body = (await answer.json()) as Partial<Session & Refused>;
  const { error: problem } = body;
  const needs = problem?.details?.metadata?.["needs"];
  const isAsked = problem !== undefined && (needs === "key" || needs === "operator");
  asking.value = isAsked ? { needs, shown, problem } : undefined;
  if (!answer.ok || body.token === undefined) return false;
  sessionStorage.setItem(storedAs, body.token);
  token.value = body.token;
  return true;
}

/** Forgets a token that the backend no longer takes. */
export function closeSession(): void {
  sessionStorage.removeItem(storedAs);
  token.value = undefined;
}
