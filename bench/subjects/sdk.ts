import { once } from "node:events";
import type { Server as HttpServer } from "node:http";
import type { AddressInfo } from "node:net";
import { InMemoryTaskStore } from "a2a-sdk-1.0/server";
import type { TaskStore } from "a2a-sdk-1.0/server";
import { sdkCue, createSdkHandler, listenSdk } from "../http-sdk.js";
import { longerThanARun } from "./subject.js";
import type { OpenSubject, SubjectOptions } from "./subject.js";

/** The official SDK with Express and one of its stores. */
export const open: OpenSubject = async (options) => {
  const handler = createSdkHandler(await openStore(options));
  if (options.grpc === true) return { port: await (await import("./sdk-grpc.js")).listen(handler) };
  const server = listenSdk(handler);
  server.keepAliveTimeout = longerThanARun;
  const calls = { emit: () => sdkCue.give(), waiting: () => sdkCue.waiting };
  return { port: await portOf(server), calls };
};

async function openStore({ store = "memory", journal }: SubjectOptions): Promise<TaskStore> {
  if (store === "memory") return new InMemoryTaskStore();
  const stores = await import("./sdk-stores.js");
  if (store.startsWith("postgres")) return stores.openSdkPostgres(store);
  return stores.openSdkSqlite(store, journal);
}

async function portOf(server: HttpServer): Promise<number> {
  if (!server.listening) await once(server, "listening");
  return (server.address() as AddressInfo).port;
}
