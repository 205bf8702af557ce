import { refuse } from "./refuse.js";

/** The options of this command, by the names that the errors of `serve` give them. */
const flags: Readonly<Record<string, string>> = {
  "{ grpc: { port } }": "--grpc-port",
  "{ port }": "--port",
  "{ host }": "--host",
};

/** An error of `serve` with the options as they are called here. */
export function explain(cause: unknown): unknown {
  if (!(cause instanceof Error)) return cause;
  const [, problem] = /^serve\(\): cors\.origins\[\d+\] (.*)$/.exec(cause.message) ?? [];
  if (problem !== undefined) return refuse(`--cors ${problem}`, cause);
  if (/^(?:store|bus) (?:begins with|names no|is sqlite:)/.test(cause.message)) {
    return refuse(`--${cause.message}`, cause);
  }
  const [name] = Object.keys(flags).filter((one) => cause.message.includes(one));
  if (name === undefined) return cause;
  return new Error(cause.message.replace(name, flags[name] ?? name), { cause });
}
