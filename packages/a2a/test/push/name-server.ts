import { createSocket } from "node:dgram";
import { once } from "node:events";
import type { AddressInfo } from "node:net";

/** Addresses by name; `undefined` is not answered at all. */
export type Zone = Readonly<Record<string, readonly string[] | undefined>>;

/** A name server on this machine (RFC 1035), as far as addresses of IPv4 and IPv6 go. */
export async function openNameServer(zone: Zone) {
  const socket = createSocket("udp4");
  const asked: string[] = [];
  socket.on("message", (query, { port, address }) => {
    const { name, end } = readName(query, 12);
    asked.push(name);
    if (name in zone && zone[name] === undefined) return;
    const type = query.readUInt16BE(end);
    const wanted = (zone[name] ?? []).filter((one) => one.includes(":") === (type === 28));
    const head = Buffer.from(query.subarray(0, 12));
    // An answer, and whether the name exists.
    head.writeUInt16BE(name in zone ? 0x8180 : 0x8183, 2);
    head.writeUInt16BE(wanted.length, 6);
    head.fill(0, 8);
    const answers = wanted.map((one) => record(type, one));
    socket.send(Buffer.concat([head, query.subarray(12, end + 4), ...answers]), port, address);
  });
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  return {
    address: `127.0.0.1:${(socket.address() as AddressInfo).port}`,
    asked,
    async [Symbol.asyncDispose]() {
      socket.close();
      await once(socket, "close");
    },
  };
}

function readName(message: Buffer, start: number): { readonly name: string; readonly end: number } {
  const labels: string[] = [];
  let at = start;
  for (let length = message.readUInt8(at); length > 0; length = message.readUInt8(at)) {
    labels.push(message.toString("latin1", at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join(".").toLowerCase(), end: at + 1 };
}

function record(type: number, address: string): Buffer {
  const data = type === 28 ? wideAddress(address) : Buffer.from(address.split(".").map(Number));
  const head = Buffer.alloc(12);
  head.writeUInt16BE(0xc00c, 0); // the name of the question
  head.writeUInt16BE(type, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt32BE(0, 6); // not to be kept
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}

function wideAddress(address: string): Buffer {
  const [before = "", after = ""] = address.split("::");
  const groups = (text: string) => text.split(":").filter((group) => group !== "");
  const [left, right] = [groups(before), groups(after)];
  const middle = Array.from({ length: 8 - left.length - right.length }, () => "0");
  const data = Buffer.alloc(16);
  for (const [index, group] of [...left, ...middle, ...right].entries()) {
    data.writeUInt16BE(Number.parseInt(group, 16), 2 * index);
  }
  return data;
}
