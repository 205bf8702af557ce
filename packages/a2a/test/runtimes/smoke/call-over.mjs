/** Calls an agent over a binding. As a program it takes the binding and the URL, and prints what came of it. */
import process from "node:process";
import { pathToFileURL } from "node:url";
import { textOf } from "@parley/a2a";
import { connect } from "@parley/a2a/client";
import { grpcTransports } from "@parley/a2a/grpc";

export async function callOver(binding, url) {
  const remote = await connect(url, { bindings: [binding], transports: grpcTransports() });
  const chunks = [];
  for await (const event of remote.stream("count")) {
    if (event.kind === "artifact") chunks.push(textOf(event.artifact));
  }
  const asked = [];
  const onInputRequired = (question) => {
    asked.push(textOf(question));
    return "Rome";
  };
  const answer = await remote.text("book", { onInputRequired });
  return { binding: remote.binding, streamed: chunks.join(""), asked, answer };
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [, , binding, url] = process.argv;
  console.log(JSON.stringify(await callOver(binding, url)));
}
