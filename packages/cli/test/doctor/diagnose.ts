import type { ConnectOptions } from "@parley/a2a/client";
import { runDoctor } from "../../src/doctor/run-doctor.js";
import type { Diagnosis } from "@parley/inspector/probe";
import { findDocuments } from "@parley/inspector/probe";

export interface DiagnoseOptions {
  readonly message?: string;
  readonly origin?: string;
  readonly sends?: boolean;
  readonly connect?: ConnectOptions;
}

/** All that the doctor says about an agent. */
export async function diagnose(
  reference: string,
  { message = "hello", sends = true, origin, connect = {} }: DiagnoseOptions = {},
): Promise<readonly Diagnosis[]> {
  const timeoutMs = 15_000;
  const fetch = connect.fetch ?? ((url: string, init: RequestInit) => globalThis.fetch(url, init));
  const documents = await findDocuments(reference, { fetch, timeoutMs });
  const used = documents.find(({ card }) => card !== undefined);
  if (used?.card === undefined) throw new Error("there is no card");
  const { card, document, url: cardUrl } = used;
  const target = {
    card,
    interfaces: card.supportedInterfaces,
    document,
    cardUrl,
    connect,
    timeoutMs,
  };
  const options = { message, sends, ...(origin !== undefined && { origin }) };
  const diagnoses: Diagnosis[] = [];
  for await (const one of runDoctor({ target, documents, options })) diagnoses.push(one);
  return diagnoses;
}
