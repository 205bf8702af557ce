import { connect } from "node:net";

/** What a server sends back for bytes as they are, until it closes or has been silent for a while. */
export function exchangeBytes(
  port: number,
  bytes: string | Buffer,
  { quietMs = 150 }: { readonly quietMs?: number } = {},
): Promise<string> {
  return new Promise((resolve) => {
    let answer = "";
    const socket = connect(port, "127.0.0.1");
    const finish = (): void => {
      socket.destroy();
      resolve(answer);
    };
    socket.setEncoding("latin1");
    socket.setTimeout(quietMs, () => answer !== "" && finish());
    socket.on("data", (text: string) => (answer += text));
    socket.on("error", finish);
    socket.on("close", finish);
    socket.write(bytes);
  });
}

/** The status of a raw answer; 0 when there is none. */
export function statusIn(answer: string): number {
  const [, status] = /^HTTP\/1\.1 (\d{3}) /.exec(answer) ?? [];
  return Number(status ?? 0);
}

/** A request with a body, spelt out. */
export function spell(head: string, body: string | Buffer = "", headers = ""): Buffer {
  const bytes = Buffer.from(body);
  const lines = `${head} HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${bytes.length}\r\n${headers}\r\n`;
  return Buffer.concat([Buffer.from(lines), bytes]);
}
