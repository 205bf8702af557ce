import type { CodeReceiver, PendingSignIn } from "./code-receiver.js";

export interface PageRedirectOptions {
  /** A page of this application that calls the agent again and so completes the sign-in. */
  readonly redirectUri: string;
  /** The location of the page when absent. */
  readonly location?: Pick<Location, "href" | "assign">;
  /** Removes the code from the address once it was read. */
  readonly history?: Pick<History, "replaceState">;
  /** Keeps the pending sign-in while the page is away; `sessionStorage` when absent. */
  readonly storage?: Pick<Storage, "getItem" | "setItem" | "removeItem">;
}

/**
 * Receives users in a browser: the page navigates to the authorization server, which navigates back. The
 * call that needed a token ends with the page; the same call on the page afterwards gets the token.
 */
export function pageRedirect({
  redirectUri,
  location = globalThis.location,
  history = globalThis.history,
  storage = globalThis.sessionStorage,
}: PageRedirectOptions): CodeReceiver {
  return async (signal) => ({
    redirectUri,
    resume(key) {
      const url = location.href;
      const state = new URL(url).searchParams.get("state");
      const kept = state === null ? null : storage.getItem(nameOf(state));
      if (state === null || kept === null) return undefined;
      const pending = JSON.parse(kept) as PendingSignIn;
      if (pending.key !== key) return undefined;
      storage.removeItem(nameOf(state));
      history.replaceState(null, "", withoutAnswer(url));
      return { pending, url };
    },
    receive(authorizationUrl, pending) {
      storage.setItem(nameOf(pending.state), JSON.stringify(pending));
      location.assign(authorizationUrl.href);
      return new Promise((_, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
      });
    },
  });
}

function nameOf(state: string): string {
  return `parley sign-in ${state}`;
}

const answerParameters = [
  "code",
  "state",
  "iss",
  "session_state",
  "error",
  "error_description",
  "error_uri",
];

function withoutAnswer(text: string): string {
  const url = new URL(text);
  for (const name of answerParameters) url.searchParams.delete(name);
  return url.href;
}
