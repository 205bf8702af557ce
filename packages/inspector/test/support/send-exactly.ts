import { request as httpRequest } from "node:http";

/** A request, header by header. */
export interface Sent {
  readonly path: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Sends exactly these headers; fetch would set some of its own. */
export function sendExactly(
  port: number,
  { path, method = "GET", headers = {}, body }: Sent,
): Promise<{ status: number; headers: Record<string, unknown>; text: string }> {
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest({ port, host: "127.0.0.1", path, method, headers }, (incoming) => {
      let text = "";
      incoming.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
      incoming.on("end", () =>
        resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, text }),
      );
    });
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}
