import { connect } from "node:net";

/**
 * Sends bytes as they are, and gives what the server sends back: a whole answer, or all there is when the server
 * closes the connection. `untilClosed` waits for that in any case.
 */
export function exchangeBytes(
  port: number,
  bytes: string | Buffer,
  { untilClosed = false }: { readonly untilClosed?: boolean } = {},
): Promise<string> {
  return new Promise((resolve) => {
    let answer = "";
    const socket = connect(port, "127.0.0.1");
    const finish = (): void => {
      socket.destroy();
      resolve(answer);
    };
    socket.setEncoding("latin1");
    socket.on("data", (text: string) => {
      answer += text;
      if (!untilClosed && isWhole(answer)) finish();
    });
    socket.on("error", finish);
    socket.on("close", finish);
    socket.write(bytes);
  });
}

/** Whether the answer is complete by the length that its head states. */
function isWhole(answer: string): boolean {
  const end = answer.indexOf("\r\n\r\n");
  if (end < 0) return false;
  const [head, body] = [answer.slice(0, end), answer.slice(end + 4)];
  if (/^HTTP\/1\.1 (?:1\d\d|204|304) /.test(head)) return true;
  const [, length] = /^content-length: (\d+)$/im.exec(head) ?? [];
  if (length !== undefined) return body.length >= Number(length);
  return /^transfer-encoding: chunked$/im.test(head) && body.endsWith("0\r\n\r\n");
}

/** The status of a raw answer; 0 when there is none. */
export function statusIn(answer: string): number {
  const [, status] = /^HTTP\/1\.1 (\d{3}) /.exec(answer) ?? [];
  return Number(status ?? 0);
}

/** Spells out a request with a body, byte by byte. */
export function spell(head: string, body: string | Buffer = "", headers = ""): Buffer {
  const bytes = Buffer.from(body);
  const lines = `${head} HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${bytes.length}\r\n${headers}\r\n`;
  return Buffer.concat([Buffer.from(lines), bytes]);
}
