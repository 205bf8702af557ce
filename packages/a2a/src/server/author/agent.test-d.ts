import type { JsonValue, Message, Part, Principal, Task } from "../../protocol/internal.js";
import { agent } from "../index.js";
import type { Agent, Handler, Outcome, Output } from "../index.js";
import { textOf } from "../internal.js";

/** Statements about types: author code as it is written, which has to compile without casts. */
type Same<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const isSame = <A, B>(same: Same<A, B>): void => void same;

const described = { name: "Typed", description: "Compiles" };

export const agents: readonly Agent[] = [
  agent({ ...described, run: () => "text" }),
  agent({ ...described, run: ({ text }) => ({ text }) }),
  agent({ ...described, run: () => ["text", { data: { n: 1 } }, { url: "https://a.example/" }] }),
  agent({ ...described, run: async () => ({ inputRequired: ["Which?", { data: [1, 2] }] }) }),
  agent({ ...described, run: async () => undefined }),
  agent({ ...described, run: () => undefined }),
  agent({
    ...described,
    run({ reject }) {
      reject("no");
    },
  }),
  agent({ ...described, run: ({ fail }) => fail({ data: null }) }),
  agent({
    ...described,
    async *run({ text, signal, step, ask, authRequired, nextMessage }) {
      yield text;
      yield { status: "Working", progress: 0.5, metadata: { any: ["json", 1, null] } };
      yield { status: [{ data: 1 }, "more"] };
      yield { artifact: "a.txt", text: "x", name: "A", append: true, lastChunk: true };
      yield { artifact: "a.json", data: { deep: [{ er: true }] }, mediaType: "application/json" };
      yield { artifact: "a.bin", file: { bytes: new Uint8Array(2), filename: "a.bin" } };
      yield { artifact: "a.png", file: { url: "https://a.example/a.png", mediaType: "image/png" } };
      yield { artifact: "a", parts: ["x", { raw: "AA==" }], extensions: ["urn:e"], metadata: {} };
      const offer = await step("search", () => ({ price: 420, tags: ["cheap"] }));
      isSame<typeof offer, { price: number; tags: string[] }>(true);
      const count = await step("count", async () => 42);
      isSame<typeof count, number>(true);
      const answer = await ask(`It costs ${offer.price}. Fine?`);
      isSame<typeof answer, Message>(true);
      await authRequired([`For ${count}`, { url: "https://auth.example/" }]);
      yield textOf(await nextMessage());
      signal.throwIfAborted();
      for (const part of answer.parts) {
        isSame<typeof part, Part>(true);
        if (part.data !== undefined) isSame<typeof part.data, JsonValue>(true);
        if (part.text !== undefined) yield part.text;
      }
      return offer.tags;
    },
  }),
  agent({
    ...described,
    durable: true,
    skills: [{ name: "One" }, { name: "Two", id: "two", tags: ["x"], examples: ["do it"] }],
    capabilities: { pushNotifications: true, extendedAgentCard: true },
    async run({ caller, tenant, metadata, history, earlierTasks, referencedTasks }) {
      isSame<typeof caller, Principal | undefined>(true);
      const tasks = [...(await earlierTasks(3)), ...(await referencedTasks())];
      isSame<typeof tasks, Task[]>(true);
      return [`${caller?.subject} ${tenant} ${history.length}`, { data: metadata?.["k"] ?? null }];
    },
  }),
];

/** Handlers and generators can be written apart. */
const tokens = async function* (words: readonly string[]): AsyncGenerator<string> {
  yield* words;
};
export const apart: Handler = async function* ({ text }): AsyncGenerator<Output, Outcome, void> {
  yield* tokens(text.split(" "));
  return "done";
};

const withoutContent = { artifact: "a" };
// @ts-expect-error an artifact has content
export const artifact: Output = withoutContent;
// @ts-expect-error a number is no content
export const number: Outcome = 42;
// @ts-expect-error data is JSON
export const map: Outcome = { data: new Map() };
// @ts-expect-error an agent has a description
export const nameless: Parameters<typeof agent>[0] = { name: "Typed", run: () => "" };
