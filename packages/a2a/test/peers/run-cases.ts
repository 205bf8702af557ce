import { fileURLToPath } from "node:url";
import process from "node:process";
import { isOffered } from "./case.js";
import type { Case } from "./case.js";
import { Child, startMs, within } from "./child.js";
import type { Result } from "./complaints.js";
import { openCuttingProxy } from "./cutting-proxy.js";
import type { Programs } from "./install.js";
import { openLocalHost } from "./local-host.js";
import { ourClient } from "./our-client.js";
import { PeerClient } from "./peer-client.js";
import { theirClient } from "./their-client.js";

/** The longest that a case may take. */
const caseMs = 45_000;

interface Place {
  readonly http: string;
  readonly grpc: string;
}

/** Where an agent is, and where the same is without push notifications. */
interface Places {
  readonly whole: Place;
  readonly withoutPush: Place;
}

/** Runs the cases of one peer in which its client calls a server of ours. */
export async function runTheirClient(
  cases: readonly Case[],
  { client: program }: Programs,
  onResult: (result: Result) => void,
): Promise<void> {
  await using host = await openLocalHost();
  await using server = new Child({
    command: process.execPath,
    args: ["--import", "tsx", fileURLToPath(new URL("parley-agent.ts", import.meta.url))],
  });
  const places = (await server.firstLine(startMs)) as Places;
  await using client = await PeerClient.start(program);
  for (const one of cases.filter(isOffered)) {
    const { binding, version } = one.at;
    const target = ({ http, grpc }: Place) => ({
      base: http,
      url: binding === "GRPC" ? grpc : http,
      binding,
      version,
    });
    const [whole, withoutPush] = [target(places.whole), target(places.withoutPush)];
    const calling = { client, target: whole, withoutPush, host };
    onResult(await resultOf(one, async () => theirClient[one.operation](calling)));
  }
}

/** Runs the cases of one peer in which our client calls the peer's server. */
export async function runOurClient(
  cases: readonly Case[],
  { agent: program }: Programs,
  onResult: (result: Result) => void,
): Promise<void> {
  await using host = await openLocalHost();
  await using http = await openCuttingProxy();
  await using grpc = await openCuttingProxy();
  await using bareHttp = await openCuttingProxy();
  await using bareGrpc = await openCuttingProxy();
  const [url, withoutPush] = [`http://${http.address}`, `http://${bareHttp.address}`];
  const addresses = [url, grpc.address, withoutPush, bareGrpc.address];
  await using server = new Child({ ...program, args: [...program.args, ...addresses] });
  const places = (await server.firstLine(startMs)) as Places;
  http.leadTo(places.whole.http);
  grpc.leadTo(places.whole.grpc);
  bareHttp.leadTo(places.withoutPush.http);
  bareGrpc.leadTo(places.withoutPush.grpc);
  const cut = (): void => {
    http.cut();
    grpc.cut();
  };
  for (const one of cases.filter(isOffered)) {
    const { binding, version } = one.at;
    const listsPush = one.at.serverListsPush ?? true;
    const called = { url, withoutPush, binding, version, listsPush, host, cut };
    onResult(await resultOf(one, async () => ourClient[one.operation](called)));
  }
}

async function resultOf(of: Case, run: () => Promise<void>): Promise<Result> {
  try {
    await within(caseMs, of.operation, run());
    return { of };
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    return { of, error: text.replaceAll(/\s+/gu, " ").slice(0, 600) };
  }
}
