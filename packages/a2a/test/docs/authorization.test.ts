import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { A2AError, credentialsUri } from "@parley/a2a";
import type { Task } from "@parley/a2a";
import { connect } from "@parley/a2a/client";
import type { RemoteAgent } from "@parley/a2a/client";
import { openReceiver } from "../support/servers/open-receiver.js";
import { describePage } from "./describe-page.js";
import { exampleTls } from "./gateway.js";
import { blocksOf } from "./page.js";

const page = "docs/authorization.md";

describePage(page, (code) => {
  it("opens servers with rules, limits, an audit log and sealed secrets", async () => {
    await using calendar = await openReceiver({
      tls: exampleTls,
      answer: (response, { headers }) =>
        response.writeHead(headers.authorization === "Bearer secret" ? 204 : 401).end(),
    });
    await using running = await code().runBlocks({
      peers: { "calendar.example.com:443": calendar.port },
      env: { PARLEY_KEY: randomBytes(32).toString("base64") },
    });
    const url = (port: number): string => `http://127.0.0.1:${running.portFor(port)}`;
    await expect.poll(() => running.stdout()).toContain("X-API-Key: ");
    const [, key = ""] = /X-API-Key: (\S+)/.exec(running.stdout()) ?? [];
    const open = (port: number): Promise<RemoteAgent> =>
      connect(url(port), { credentials: { key } });

    const ruled = await open(4100);
    const { task } = await ruled.send("hi");
    await expect(ruled.cancel(task?.id ?? "")).rejects.toSatisfy(isDenied);

    const inviter = await connect(url(4200));
    const tell = async (token: string, taskId?: string): Promise<Task | undefined> => {
      const about = {
        ...(taskId !== undefined && { taskId }),
        metadata: { [credentialsUri]: token },
      };
      const spoken = { role: "ROLE_USER", parts: [{ text: "Invite everybody" }] } as const;
      const message = { messageId: crypto.randomUUID(), ...spoken, ...about };
      return (await inviter.service.sendMessage({ message }, { version: "1.0" })).task;
    };
    const begun = await tell("unheard");
    const refused = await tell("wrong", begun?.id);
    const done = await tell("secret", begun?.id);
    expect([begun, refused, done].map((one) => one?.status.state)).toEqual([
      "TASK_STATE_AUTH_REQUIRED",
      "TASK_STATE_AUTH_REQUIRED",
      "TASK_STATE_COMPLETED",
    ]);
    expect(calendar.received).toHaveLength(2);

    const limited = await open(4300);
    const sent = await limited.send("hi");
    expect(sent.task?.status.state).toBe("TASK_STATE_INPUT_REQUIRED");

    const audited = await open(4400);
    await expect(audited.cancel("any")).rejects.toSatisfy(isDenied);
    const log = (): Promise<string> => readFile(join(code().folder, "audit.jsonl"), "utf8");
    await expect.poll(log).toContain("cancelTask");
    const lines = (await log()).trim().split("\n");
    const shown = blocksOf(page).find(({ language }) => language === "json")?.code ?? "";
    const { decision, outcome, code: denied, reason, subject, operation, ...rest } = read(shown);
    const line = lines.map(read).find((one) => one["outcome"] === "denied") ?? {};
    expect(line).toMatchObject({ decision, outcome, code: denied, reason, subject, operation });
    expect(Object.keys(line)).toEqual(expect.arrayContaining(Object.keys(rest)));

    const sealed = await connect(url(4500));
    await expect(sealed.text("hi")).rejects.toThrow("Where");
  });
});

function isDenied(error: unknown): boolean {
  return A2AError.is(error) && error.code === "PERMISSION_DENIED";
}

function read(line: string): Record<string, unknown> {
  return JSON.parse(line) as Record<string, unknown>;
}
