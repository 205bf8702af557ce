import { describe, expect, it } from "vitest";
import { parseBusPlace, parseStorePlace } from "./engine-place.js";

describe("the place of a store", () => {
  it.each([
    ["postgres://ann:secret@db:5432/agents", { engine: "postgres" }],
    ["postgresql:///agents?host=/run/postgresql", { engine: "postgres" }],
    ["POSTGRES://db/agents", { engine: "postgres" }],
    ["memory:", { engine: "memory" }],
    ["memory://", { engine: "memory" }],
    ["tasks.db", { engine: "sqlite", path: "tasks.db" }],
    ["./a:b/tasks.db", { engine: "sqlite", path: "./a:b/tasks.db" }],
    ["C:\\agents\\tasks.db", { engine: "sqlite", path: "C:\\agents\\tasks.db" }],
    ["data//tasks.db", { engine: "sqlite", path: "data//tasks.db" }],
    ["sqlite:tasks.db", { engine: "sqlite", path: "tasks.db" }],
    ["sqlite:/var/tasks.db", { engine: "sqlite", path: "/var/tasks.db" }],
    ["sqlite:///var/tasks.db", { engine: "sqlite", path: "/var/tasks.db" }],
  ])("%s is understood", (text, place) => {
    expect(parseStorePlace(text, "store")).toMatchObject(place);
  });

  it("of a database stays as it was written", () => {
    const url = "postgres://ann:p%40ss@db/agents?sslmode=require";
    expect(parseStorePlace(url, "store")).toEqual({ engine: "postgres", url });
  });

  it.each([
    ["mysql://root:secret@db/agents", "store begins with mysql:; expected postgres://…"],
    ["postgress://ann:secret@db", "did you mean postgres:?"],
    ["sqlite:", "store is sqlite: without a path"],
    ["postgres//ann:secret@db/agents", "store names no scheme; expected postgres://…"],
    [
      "localhost:5432/agents?password=secret",
      "store begins with localhost:; expected postgres://…",
    ],
  ])("%s is refused without what may be a password", (text, reason) => {
    expect(() => parseStorePlace(text, "store")).toThrow(reason);
    expect(() => parseStorePlace(text, "store")).not.toThrow(/secret/);
  });
});

describe("the place of a bus", () => {
  it.each([
    ["nats://localhost:4222", "nats"],
    ["tls://nats.example.com", "nats"],
    ["postgres://db/agents", "postgres"],
    ["memory:", "memory"],
  ])("%s is understood", (text, engine) => {
    expect(parseBusPlace(text, "bus").engine).toBe(engine);
  });

  it.each([
    ["kafka://ann:secret@broker", "NATS_URL begins with kafka:; expected nats://…"],
    ["nat://broker", "did you mean nats:?"],
    ["localhost", "NATS_URL names no scheme; expected nats://…"],
  ])("%s is refused", (text, reason) => {
    expect(() => parseBusPlace(text, "NATS_URL")).toThrow(reason);
    expect(() => parseBusPlace(text, "NATS_URL")).not.toThrow(/secret/);
  });
});
