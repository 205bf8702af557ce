import type { Handler, Outcome, Output, RunContext } from "../../../src/server/index.js";
import { textOf } from "../../../src/server/internal.js";
import { chunkOf, countOf } from "./program.js";
import type { Instruction, Program } from "./program.js";
import type { Activation, Witness } from "./witness.js";

/** How the work of a step goes: which attempts fail, and how often it has to be let go on. */
interface StepShape {
  readonly fails?: number;
  readonly retries?: number;
  readonly turns?: number;
}

type Of<Kind extends Instruction["do"]> = Extract<Instruction, { readonly do: Kind }>;

/** A handler of a node that performs the program whose number is the message. */
export function performing(
  witness: Witness,
  on: {
    readonly node: string;
    readonly programs: readonly Program[];
    /** The id under which the store knows the node. */
    readonly id: () => string | undefined;
  },
): Handler {
  const { node, programs, id } = on;
  return async function* (context) {
    const program = programs[Number(context.text)] ?? { instructions: [], ending: "nothing" };
    const activation = await witness.begin(context.taskId, { node, id: id(), program });
    return yield* new Performance(witness, activation, context).perform();
  };
}

/** One activation at work. */
class Performance {
  readonly #witness: Witness;
  readonly #activation: Activation;
  readonly #context: RunContext;
  readonly #counts = new Map<string, number>();
  /** Artifacts that streams have gone into. */
  readonly #begun = new Set<string>();

  constructor(witness: Witness, activation: Activation, context: RunContext) {
    this.#witness = witness;
    this.#activation = activation;
    this.#context = context;
  }

  async *perform(): AsyncGenerator<Output, Outcome, void> {
    const { instructions, ending } = this.#activation.program;
    const activation = this.#activation;
    try {
      await this.#hold();
      if (instructions.length === 0) yield { status: "nothing to do" };
      for (const instruction of instructions) yield* this.#follow(instruction);
      await this.#hold();
    } catch (error) {
      activation.end = "FAILED";
      throw error;
    }
    switch (ending) {
      case "fail":
        activation.end = "FAILED";
        return this.#context.fail("as told");
      case "throw":
        activation.end = "FAILED";
        throw new Error("as told");
      case "reject":
        activation.end = "REJECTED";
        return this.#context.reject("as told");
      case "text":
        activation.end = "COMPLETED";
        return this.#tell("answer", `[end g${activation.generation}]`);
      case "completed":
        activation.end = "COMPLETED";
        return { completed: "as told" };
      case "nothing":
        activation.end = "COMPLETED";
        return undefined;
    }
  }

  #follow(instruction: Instruction): AsyncGenerator<Output, void, void> {
    switch (instruction.do) {
      case "say":
        return this.#say(instruction);
      case "put":
      case "status":
        return this.#tellOnce(instruction);
      case "step":
      case "parallel":
      case "ask":
        return this.#await(instruction);
      case "aside":
        return this.#leaveAside(instruction);
      case "stream":
        return this.#stream(instruction);
    }
  }

  async *#say(instruction: Of<"say"> | Of<"aside">): AsyncGenerator<Output, void, void> {
    const { generation } = this.#activation;
    const artifact = "artifact" in instruction ? instruction.artifact : undefined;
    const count = countOf(instruction, generation);
    for (let index = 0; index < count; index += 1) {
      await this.#hold();
      const text = chunkOf(instruction, { index, count, generation });
      this.#tell(artifact ?? "answer", text);
      yield artifact === undefined ? text : { artifact, text, append: true };
    }
  }

  async *#tellOnce(instruction: Of<"put"> | Of<"status">): AsyncGenerator<Output, void, void> {
    await this.#hold();
    const { generation, deeds } = this.#activation;
    const text = chunkOf(instruction, { index: 0, count: 1, generation });
    if (instruction.do === "status") {
      deeds.push({ noted: text });
      yield { status: text };
    } else {
      const { artifact } = instruction;
      yield { artifact, text: this.#tell(artifact, text, true) };
    }
  }

  // oxlint-disable-next-line require-yield -- it tells nothing
  async *#await(
    instruction: Of<"step"> | Of<"parallel"> | Of<"ask">,
  ): AsyncGenerator<Output, void, void> {
    await this.#hold();
    if (instruction.do === "step") await this.#take(instruction.name, instruction);
    else if (instruction.do === "parallel") {
      await Promise.all(instruction.names.map((name) => this.#take(name)));
    } else {
      const { name, beside } = instruction;
      await Promise.all([this.#ask(name), beside === undefined ? undefined : this.#take(beside)]);
    }
  }

  async *#leaveAside(instruction: Of<"aside">): AsyncGenerator<Output, void, void> {
    await this.#hold();
    const { id, name, other, turns } = instruction;
    const finish = this.#begin(name, { turns });
    yield* this.#say(instruction);
    await this.#take(other);
    yield* this.#say({ do: "say", id: `${id}.after`, chunks: 1, varies: instruction.varies });
    await finish();
  }

  async *#stream(instruction: Of<"stream">): AsyncGenerator<Output, void, void> {
    await this.#hold();
    const { name, artifact } = instruction;
    const key = this.#keyOf("stream", name);
    const recorded = await this.#witness.find(this.#activation, key);
    this.#activation.deeds.push({ called: key }, { awaited: key });
    const made: string[] = [];
    const chunks = this.#context.stream(
      name,
      () => this.#generate(instruction, key, made),
      artifact === undefined ? {} : { artifact },
    );
    let isTold = recorded !== undefined;
    let next = await chunks.next();
    for (; next.done !== true; next = await chunks.next()) {
      // A recorded stream is told again where what was told before it is told anew.
      if (recorded !== undefined) this.#tellAgain(key, String(recorded.value), artifact);
      isTold = false;
      yield next.value;
    }
    if (isTold) this.#begun.add(recorded?.artifact ?? "");
    const whole = next.value;
    if (recorded === undefined) {
      this.#witness.expect(whole, made.join(""), `the whole of ${key}`, this.#activation);
    }
    await this.#witness.checkRecorded(this.#activation, key, whole);
  }

  /** The source of a stream: every generation has other words, and now and then none. */
  async *#generate(
    instruction: Of<"stream">,
    key: string,
    made: string[],
  ): AsyncGenerator<string | undefined, void, void> {
    await this.#witness.checkUnrecorded(this.#activation, key);
    const { artifact } = instruction;
    const { generation } = this.#activation;
    const varying = { ...instruction, varies: true };
    const count = countOf(varying, generation);
    for (let index = 0; index < count; index += 1) {
      await this.#hold();
      const chunk = chunkOf(varying, { index, count, generation });
      made.push(chunk);
      yield this.#tell(artifact ?? "answer", chunk, this.#isFirstIn(artifact));
      if (index === 0) yield undefined;
    }
  }

  #tellAgain(again: string, told: string, artifact: string | undefined): void {
    const replaces = this.#isFirstIn(artifact);
    this.#activation.deeds.push({ told, artifact: artifact ?? "answer", replaces, again });
  }

  /** The first stream into an artifact of its own begins it anew. */
  #isFirstIn(artifact: string | undefined): boolean {
    const isFirst = artifact !== undefined && !this.#begun.has(artifact);
    if (artifact !== undefined) this.#begun.add(artifact);
    return isFirst;
  }

  async #ask(name: string | undefined): Promise<void> {
    const { taskId, generation, deeds } = this.#activation;
    const key = this.#keyOf("question", name ?? "");
    const known = name ?? `unnamed-${key.split(":")[2]}`;
    deeds.push({ called: key }, { awaited: key });
    // Models rephrase.
    const words = `${known} of g${generation}?`;
    const answer = await this.#context.ask(words, name === undefined ? {} : { name });
    this.#witness.checkAnswer(taskId, known, textOf(answer));
  }

  async #take(name: string, shape?: StepShape): Promise<void> {
    await this.#begin(name, shape)();
  }

  /** Begins a step, and gives what awaits its result. */
  #begin(name: string, { fails = 0, retries = 0, turns = 1 }: StepShape = {}): () => Promise<void> {
    const witness = this.#witness;
    const activation = this.#activation;
    const key = this.#keyOf("step", name);
    activation.deeds.push({ called: key });
    const result = this.#context.step(
      name,
      async ({ attempt, key: given }) => {
        await this.#hold();
        await witness.checkUnrecorded(activation, key);
        witness.checkKey(activation.taskId, key, given);
        for (let taken = 0; taken < turns; taken += 1) await this.#hold();
        if (attempt <= fails) throw new Error("as told");
        return `${key} g${activation.generation}`;
      },
      { retries, backoff: { firstMs: 10 } },
    );
    return async () => {
      activation.deeds.push({ awaited: key });
      await witness.checkRecorded(activation, key, await result);
    };
  }

  #keyOf(kind: string, name: string): string {
    const nth = (this.#counts.get(`${kind}:${name}`) ?? 0) + 1;
    this.#counts.set(`${kind}:${name}`, nth);
    return `${kind}:${name}:${nth}`;
  }

  #tell(artifact: string, told: string, replaces = false): string {
    this.#activation.deeds.push({ told, artifact, replaces });
    return told;
  }

  #hold(): Promise<void> {
    return this.#witness.hold(this.#activation.node);
  }
}
