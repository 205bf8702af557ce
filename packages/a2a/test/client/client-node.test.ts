import { spawn } from "node:child_process";
import { chmod, readFile, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { createFileTokenStore, loopbackRedirect, openBrowser } from "@parley/a2a/client/node";
import type { PendingSignIn } from "../../src/client/oauth/code-receiver.js";
import { openFolder } from "../support/files/open-folder.js";

const tokens = { accessToken: "a", obtainedAt: 1, refreshToken: "r" };

describe("a file with tokens", () => {
  it("keeps them for the next program, and from everybody else", async () => {
    await using folder = await openFolder();
    const path = join(folder.path, "parley", "tokens.json");
    const store = createFileTokenStore(path);
    expect(await store.load("one")).toBeUndefined();
    await Promise.all([store.save("one", tokens), store.save("two", tokens)]);
    await store.delete("two");
    const next = createFileTokenStore(path);
    expect(await next.load("one")).toEqual(tokens);
    expect(await next.load("two")).toBeUndefined();
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await stat(join(path, ".."))).mode & 0o777).toBe(0o700);
  });

  it("is closed to others again when it was opened to them", async () => {
    await using folder = await openFolder();
    const path = join(folder.path, "tokens.json");
    await writeFile(path, "{}");
    await chmod(path, 0o644);
    await createFileTokenStore(path).save("one", tokens);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it("loses nothing when several processes write to it", async () => {
    await using folder = await openFolder();
    const path = join(folder.path, "tokens.json");
    const module = import.meta.resolve("@parley/a2a/client/node");
    const script = `
      import { createFileTokenStore } from ${JSON.stringify(module)};
      const store = createFileTokenStore(${JSON.stringify(path)});
      for (let turn = 0; turn < 10; turn += 1) {
        await store.exclusive("count", async () => {
          const { obtainedAt = 0 } = (await store.load("count")) ?? {};
          await store.save("count", { accessToken: "a", obtainedAt: obtainedAt + 1 });
        });
      }`;
    const run = () =>
      new Promise<number | null>((resolve) => {
        const args = ["--input-type=module", "--eval", script];
        spawn(process.execPath, args, { stdio: "inherit" }).once("exit", resolve);
      });
    expect(await Promise.all([run(), run(), run()])).toEqual([0, 0, 0]);
    expect((await createFileTokenStore(path).load("count"))?.obtainedAt).toBe(30);
  });

  it("is not held up by a lock whose holder has died", async () => {
    await using folder = await openFolder();
    const path = join(folder.path, "tokens.json");
    await writeFile(`${path}.lock`, "");
    const longAgo = new Date(Date.now() - 60_000);
    await utimes(`${path}.lock`, longAgo, longAgo);
    await createFileTokenStore(path).save("one", tokens);
    expect(JSON.parse(await readFile(path, "utf8"))).toEqual({ one: tokens });
  });
});

describe("a browser that comes back to this machine", () => {
  const pending: PendingSignIn = {
    key: "k",
    state: "s",
    codeVerifier: "v",
    redirectUri: "",
  };

  it.each(["127.0.0.1", "::1"] as const)("is received at %s", async (host) => {
    const controller = new AbortController();
    const opened = vi.fn<(url: URL) => void>();
    const reception = await loopbackRedirect({ open: opened, host })(controller.signal);
    const { redirectUri } = reception;
    const received = reception.receive(new URL("https://id.example/"), pending);
    await expect.poll(() => opened).toHaveBeenCalledOnce();
    for (const other of [
      `${redirectUri}?code=c&state=other`,
      new URL("/favicon.ico", redirectUri),
    ]) {
      expect((await fetch(other)).status).toBe(404);
    }
    const page = await fetch(`${redirectUri}?code=c&state=s`);
    expect([page.status, page.headers.get("cache-control")]).toEqual([200, "no-store"]);
    expect(await received).toBe(`${redirectUri}?code=c&state=s`);
    await reception.close?.();
    await expect(fetch(redirectUri)).rejects.toThrowError();
  });

  it("is not waited for when the caller gives up", async () => {
    const controller = new AbortController();
    const reception = await loopbackRedirect({ open: () => undefined })(controller.signal);
    const received = reception.receive(new URL("https://id.example/"), pending);
    controller.abort(new Error("never mind"));
    await expect(received).rejects.toThrowError("never mind");
    await reception.close?.();
  });
});

describe("the user's browser", () => {
  it.runIf(process.platform === "linux")("is opened without a shell", async () => {
    await using folder = await openFolder();
    const program = join(folder.path, "xdg-open");
    const seen = join(folder.path, "seen");
    await writeFile(
      program,
      `#!/bin/sh\nprintf %s "$1" > ${seen}.draft && mv ${seen}.draft ${seen}\n`,
      { mode: 0o755 },
    );
    vi.stubEnv("PATH", `${folder.path}:${process.env["PATH"]}`);
    const url = "https://id.example/?a=$(touch%20x)&b=`id`;c";
    await openBrowser(new URL(url));
    await expect.poll(() => readFile(seen, "utf8")).toBe(new URL(url).href);
    vi.stubEnv("PATH", "");
    await expect(openBrowser(new URL(url))).rejects.toThrowError(
      /the browser could not be opened; open http/,
    );
    vi.unstubAllEnvs();
  });

  it("opens nothing but web pages", () => {
    expect(() => openBrowser(new URL("file:///etc/passwd"))).toThrowError(
      "is not the URL of a web page",
    );
  });
});
