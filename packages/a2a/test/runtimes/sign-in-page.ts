import { connect } from "@parley/a2a/client";
import { authorizationCode, pageRedirect } from "@parley/a2a/client/oauth";

/** What a page does, on its way out and when it has come back: the same. */
export async function callAgent(agentUrl: string, clientId: string): Promise<string> {
  const receiver = pageRedirect({ redirectUri: `${location.origin}/callback` });
  const sso = authorizationCode({ clientId, receiver });
  const agent = await connect(agentUrl, { credentials: { sso } });
  return agent.text("hi");
}
