/** One of the servers or clients that the suite compares, in a process of its own. Loads nothing of the others. */
import process from "node:process";
import { answerCalls } from "../processes/remote.js";
import { usageCalls } from "../processes/usage.js";
import type { OpenSubject, SubjectOptions } from "./subject.js";

const [kind = "", options = "{}"] = process.argv.slice(2);
const { open } = (await import(`./${kind}.js`)) as { readonly open: OpenSubject };
const { port, calls } = await open(JSON.parse(options) as SubjectOptions);
answerCalls({ ...usageCalls, ...calls, port: () => port });
