import { connect } from "node:net";

/**
 * What a server sends back for bytes as they are: a whole answer, or what there is when it closes, for which
 * one can wait in any case.
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

/** Whether the head says that nothing more belongs to it than is there. */
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

/** A request with a body, spelt out. */
export function spell(head: string, body: string | Buffer = "", headers = ""): Buffer {
  const bytes = Buffer.from(body);
  const lines = `${head} HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${bytes.length}\r\n${headers}\r\n`;
  return Buffer.concat([Buffer.from(lines), bytes]);
}
