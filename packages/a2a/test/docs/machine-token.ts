import { clients } from "../support/auth/identity-provider/clients.js";
import type { IdentityProvider } from "../support/auth/identity-provider/open-identity-provider.js";
import { fetchFrom } from "./gateway.js";

/** A token of the client `machine` for an audience. */
export async function tokenOf(
  { issuer, port }: IdentityProvider,
  resource: string,
): Promise<string> {
  const { client_id: id, client_secret: secret } = clients.machine;
  const answer = await fetchFrom(port)(`${issuer}/token`, {
    method: "POST",
    headers: { authorization: `Basic ${btoa(`${id}:${encodeURIComponent(secret)}`)}` },
    body: new URLSearchParams({ grant_type: "client_credentials", resource, scope: "trips" }),
  });
  const { access_token: token } = (await answer.json()) as { access_token: string };
  return token;
}
