import { expect, it } from "vitest";
import { readTls } from "../support/files/tls.js";
import { describePage } from "./describe-page.js";
import type { Running } from "./documented-code.js";
import { openGateway } from "./gateway.js";
import { blocksOf } from "./page.js";

describePage("docs/push.md", (code) => {
  it("brings what happens to a task from the operator's server to the receiver's webhook", async () => {
    let operator: Running | undefined;
    let webhook: Running | undefined;
    await using agents = await openGateway(() => operator?.portFor(4100) ?? 0);
    await using me = await openGateway(() => webhook?.portFor(4200) ?? 0);
    const peers = { "agents.example.com:443": agents.port, "me.example.com:443": me.port };
    const files = { "authority.pem": readTls("example-cert") };
    // The operator's server is that of dead-letters.ts, which imports it.
    await using server = (operator = await code().run("dead-letters", [4100], { peers, files }));
    await using receiver = (webhook = await code().run("webhook", [4200], { peers }));
    await code().outputOf("register", { peers });
    await expect.poll(() => receiver.stdout()).toContain("TASK_STATE_COMPLETED");
    expect(receiver.stderr()).toBe("");
    expect(server.stdout()).toBe("{ waiting: 0, dead: 0 }\n");
    for (const [, header = ""] of request().matchAll(/^([\w-]+): /gm)) {
      expect(me.heard().toLowerCase()).toContain(`\n${header.toLowerCase()}: `);
    }
    expect(me.heard()).toContain("Bearer for the gateway before the webhook");
  });
});

/** The request that the page shows. */
function request(): string {
  return blocksOf("docs/push.md").find(({ language }) => language === "http")?.code ?? "";
}
