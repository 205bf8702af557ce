import { spawn } from "node:child_process";
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
  return new Promise((resolve, reject) => {
    const child = spawn(command, [...args, url.href], { detached: true, stdio: "ignore" });
    child.once("error", (cause) => {
      const message = `the browser could not be opened; open ${url.href} yourself`;
      reject(new A2AError("UNAUTHENTICATED", message, { cause }));
    });
    child.once("spawn", () => {
      child.unref();
      resolve();
    });
  });
}
