import { once } from "node:events";
import { A2AError } from "../../protocol/internal.js";

const commands: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ["open"],
  win32: ["rundll32", "url.dll,FileProtocolHandler"],
};

/** Opens a web page in the user's browser. Runs no shell, which could interpret the URL. */
export function openBrowser(url: URL): Promise<void> {
  if (url.protocol !== "https:" && url.protocol !== "http:") {
    throw new A2AError("INVALID_PARAMS", `${url.href} is not the URL of a web page`);
  }
  const [command, ...args] = commands[process.platform] ?? ["xdg-open"];
  return start(command, [...args, url.href]).catch((cause: unknown) => {
    const message = `the browser could not be opened; open ${url.href} yourself`;
    throw new A2AError("UNAUTHENTICATED", message, { cause });
  });
}

/** Starts a program that outlives this one. What starts it is loaded for this alone, and not by everybody who imports this folder. */
async function start(command: string, args: readonly string[]): Promise<void> {
  const { spawn } = await import("node:child_process");
  const child = spawn(command, args, { detached: true, stdio: "ignore" });
  await once(child, "spawn");
  child.unref();
}
