import type { IncomingMessage, ServerResponse } from "node:http";
import type Provider from "oidc-provider";

/** The account that signs in when a browser names none. */
const defaultAccount = "ada";

/** Answers the provider's prompts for the user: signs in, and consents unless the user denies. */
export async function finishInteraction(
  provider: Provider,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { prompt, session, params, grantId } = await provider.interactionDetails(request, response);
  if (request.headers["x-consents"] === "no") {
    const denial = { error: "access_denied", error_description: "The user said no." };
    await provider.interactionFinished(request, response, denial);
    return;
  }
  if (prompt.name === "login") {
    const login = { accountId: String(request.headers["x-account"] ?? defaultAccount) };
    await provider.interactionFinished(request, response, { login });
    return;
  }
  const { accountId } = session ?? {};
  const clientId = String(params["client_id"]);
  const given = grantId === undefined ? undefined : await provider.Grant.find(grantId);
  const grant =
    given ?? new provider.Grant({ ...(accountId !== undefined && { accountId }), clientId });
  const { missingOIDCScope, missingResourceScopes } = prompt.details as {
    readonly missingOIDCScope?: readonly string[];
    readonly missingResourceScopes?: Readonly<Record<string, readonly string[]>>;
  };
  if (missingOIDCScope !== undefined) grant.addOIDCScope(missingOIDCScope.join(" "));
  for (const [resource, scopes] of Object.entries(missingResourceScopes ?? {})) {
    grant.addResourceScope(resource, scopes.join(" "));
  }
  const consent = { grantId: await grant.save() };
  await provider.interactionFinished(request, response, { consent });
}

export interface UserOptions {
  /** The account that signs in. */
  readonly account?: string;
  readonly consents?: boolean;
  /** Servers of the test under names of their own, and how they are reached. */
  readonly hosts?: Readonly<Record<string, typeof fetch>>;
}

/** A page as a user's browser shows it in the end. */
export interface Page {
  readonly url: string;
  /** Absent where the browser would have to leave this machine. */
  readonly text?: string;
}

/**
 * Opens a URL as a user's browser does: keeps cookies, follows redirects, submits the forms that are
 * filled in already. It never leaves this machine; where it would, it gives the URL.
 */
export async function browse(
  start: string,
  { account = defaultAccount, consents = true, hosts = {} }: UserOptions = {},
): Promise<Page> {
  const cookies = new Map<string, string>();
  let url = start;
  let form: URLSearchParams | undefined;
  for (let step = 0; step < 20; step += 1) {
    const { hostname } = new URL(url);
    const isThisMachine = ["127.0.0.1", "[::1]", "localhost"].includes(hostname);
    const visit = isThisMachine ? fetch : hosts[hostname];
    if (visit === undefined) return { url };
    const response = await visit(url, {
      redirect: "manual",
      headers: {
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; "),
        "x-account": account,
        "x-consents": consents ? "yes" : "no",
      },
      ...(form !== undefined && { method: "POST", body: form }),
    });
    form = undefined;
    for (const cookie of response.headers.getSetCookie()) {
      const [name = "", value = ""] = cookie.split(";")[0]?.split(/=(.*)/s) ?? [];
      if (value === "") cookies.delete(name);
      else cookies.set(name, value);
    }
    const text = await response.text();
    const location = response.headers.get("location");
    if (location !== null) {
      url = new URL(location, url).href;
      continue;
    }
    const action = /<form[^>]*action="([^"]*)"/.exec(text)?.[1];
    if (action === undefined) return { url, text };
    const filled = new URLSearchParams();
    for (const [input] of text.matchAll(/<input[^>]*>/g)) {
      const name = /name="([^"]*)"/.exec(input)?.[1];
      if (name !== undefined) filled.append(name, /value="([^"]*)"/.exec(input)?.[1] ?? "");
    }
    if ([...filled.values()].includes("")) return { url, text };
    url = new URL(action, url).href;
    form = filled;
  }
  throw new Error(`the way from ${start} has no end`);
}
