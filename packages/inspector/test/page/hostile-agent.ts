import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface HostileAgent extends AsyncDisposable {
  readonly url: string;
}

const script = "<script>globalThis.hacked = true</script>";

/** What the agent answers with, by the text of the message: parts of an artifact, or the text of a whole result. */
const answers: Readonly<Record<string, () => readonly object[] | string>> = {
  script: () => [
    { text: `${script}<img src=x onerror="globalThis.hacked = true"></script><b>bold</b>` },
  ],
  link: () => [
    {
      text: "[here](javascript:globalThis.hacked=true) [there](https://a.example/) ![pixel](https://tracker.example/p.png)",
    },
  ],
  svg: () => [
    {
      raw: Buffer.from(
        `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40" onload="globalThis.hacked=true">${script}<rect width="40" height="40"/></svg>`,
      ).toString("base64"),
      mediaType: "image/svg+xml",
      filename: "drawing.svg",
    },
  ],
  html: () => [{ text: `<h1>Hello</h1>${script}`, mediaType: "text/html" }],
  bidi: () => [
    { raw: "AAEC", filename: "invoice\u202Efdp.exe", mediaType: "application/octet-stream" },
  ],
  quotes: () => [{ text: ">".repeat(3000) }],
  large: () => [{ text: "word ".repeat(10_000_000) }],
  deep: () =>
    `{"task":{"id":"deep","contextId":"c","status":{"state":"TASK_STATE_COMPLETED"},"artifacts":[{"artifactId":"a","parts":[{"data":${"[".repeat(10_000)}${"]".repeat(10_000)}}]}]}}`,
};

/** An agent that tries to break the page. It speaks just enough of 1.0. */
export async function openHostileAgent(): Promise<HostileAgent> {
  const server = createServer((request, response) => {
    const { port } = server.address() as AddressInfo;
    response.setHeader("content-type", "application/json");
    if (request.method !== "POST") {
      response.end(JSON.stringify(cardAt(`http://127.0.0.1:${port}/`)));
      return;
    }
    let text = "";
    request.on("data", (piece: Buffer) => (text += piece.toString()));
    request.on("end", () => {
      const { id, params } = JSON.parse(text) as {
        id: number;
        params: { message: { parts: [{ text: string }] } };
      };
      const made = answers[params.message.parts[0].text]?.() ?? [{ text: "?" }];
      const task = {
        id: crypto.randomUUID(),
        contextId: "c",
        status: { state: "TASK_STATE_COMPLETED" },
        artifacts: [{ artifactId: "a", parts: made }],
      };
      const result = typeof made === "string" ? made : JSON.stringify({ task });
      response.end(`{"jsonrpc":"2.0","id":${id},"result":${result}}`);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function cardAt(url: string): object {
  return {
    name: `Mallory ${script}`,
    description: `${script}<img src=x onerror="globalThis.hacked=true">`,
    version: "1",
    supportedInterfaces: [{ url, protocolBinding: "JSONRPC", protocolVersion: "1.0" }],
    capabilities: {},
    defaultInputModes: ["text/plain"],
    defaultOutputModes: ["text/plain"],
    documentationUrl: "javascript:globalThis.hacked=true",
    skills: [{ id: "s", name: "\u202Eevil", description: script, tags: ["x"], examples: [script] }],
    securitySchemes: { key: { apiKeySecurityScheme: { location: "header", name: "X-Key" } } },
  };
}
