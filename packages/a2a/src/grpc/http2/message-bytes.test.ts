import { expect, test } from "vitest";
import { MessageBytes } from "./message-bytes.js";
import type { ConnectionBytes } from "./message-bytes.js";

const open = (early = 100, reserved = 100, reservedPerConnection = 60): MessageBytes =>
  new MessageBytes({ early, reserved, reservedPerConnection });

/** Holds early bytes, and notes when it is cut. */
function hold(connection: ConnectionBytes, bytes: number, name: string, cut: string[]): void {
  connection.hold({ cut: () => void cut.push(name) }, bytes);
}

test("the connection that holds most loses its oldest call", () => {
  const all = open();
  const [heavy, light] = [all.connect(), all.connect()];
  const cut: string[] = [];
  hold(light, 20, "light", cut);
  hold(heavy, 30, "older", cut);
  hold(heavy, 30, "newer", cut);
  expect(cut).toEqual([]);
  hold(light, 25, "light too", cut);
  expect(cut).toEqual(["older"]);
});

test("a call that holds more than there is for all is cut itself", () => {
  const cut: string[] = [];
  hold(open().connect(), 101, "only", cut);
  expect(cut).toEqual(["only"]);
});

test("messages begin in their order, within the part of their connection", () => {
  const connection = open().connect();
  const begun: number[] = [];
  const [first, second, third] = [40, 30, 20].map((bytes, index) =>
    connection.reserve(bytes, () => begun.push(index)),
  );
  expect(begun).toEqual([0]);
  first?.();
  expect(begun).toEqual([0, 1, 2]);
  second?.();
  third?.();
});

test("messages wait for room among all connections, and one that gives up is left out", () => {
  const all = open();
  const [one, other, third] = [all.connect(), all.connect(), all.connect()];
  const begun: string[] = [];
  const release = one.reserve(60, () => begun.push("one"));
  const giveUp = other.reserve(50, () => begun.push("other"));
  third.reserve(45, () => begun.push("third"));
  expect(begun).toEqual(["one"]);
  giveUp();
  release();
  expect(begun).toEqual(["one", "third"]);
});

test("room that is given back is room for those who wait, in turns", () => {
  const all = open(100, 60, 60);
  const connections = [all.connect(), all.connect(), all.connect()];
  const begun: number[] = [];
  const releases = connections.map((one, index) => one.reserve(60, () => begun.push(index)));
  for (const release of releases) release();
  expect(begun).toEqual([0, 1, 2]);
});
