import fc from "fast-check";

/**
 * One thing that a handler does. `id` tells instructions apart through all edits. Outputs that vary have another
 * number of chunks, and other words, in each generation, as those of a language model have.
 */
export type Instruction =
  | {
      readonly do: "say";
      readonly id: string;
      readonly chunks: number;
      readonly varies: boolean;
      /** An artifact of its own; absent: the answer. */
      readonly artifact?: string;
    }
  | { readonly do: "put"; readonly id: string; readonly artifact: string; readonly varies: boolean }
  | { readonly do: "status"; readonly id: string; readonly varies: boolean }
  | {
      readonly do: "step";
      readonly id: string;
      readonly name: string;
      /** How many attempts fail before one succeeds, and how often the step tries again. */
      readonly fails: number;
      readonly retries: number;
    }
  | { readonly do: "parallel"; readonly id: string; readonly names: readonly string[] }
  | {
      /** A step that is awaited only after an output and another step. */
      readonly do: "aside";
      readonly id: string;
      readonly name: string;
      readonly other: string;
      /** How long the step takes: it may be recorded before or after the other one. */
      readonly turns: number;
      readonly chunks: number;
      readonly varies: boolean;
    }
  | {
      readonly do: "stream";
      readonly id: string;
      readonly name: string;
      readonly chunks: number;
      readonly artifact?: string;
    }
  | {
      readonly do: "ask";
      readonly id: string;
      /** Absent: it counts among the questions without a name. */
      readonly name?: string;
      /** A step that is under way while the question is open. */
      readonly beside?: string;
    };

/** How a handler ends, if nothing has failed until then. */
export type Ending = "nothing" | "text" | "completed" | "fail" | "reject" | "throw";

export interface Program {
  readonly instructions: readonly Instruction[];
  readonly ending: Ending;
}

/** A change of a program, under tasks that are at work or wait. It keeps the questions without names. */
export type Edit =
  | { readonly edit: "insert"; readonly at: number; readonly instruction: Instruction }
  | { readonly edit: "remove"; readonly at: number }
  | { readonly edit: "move"; readonly from: number; readonly to: number }
  | { readonly edit: "end"; readonly ending: Ending };

const one = <const T>(...values: readonly T[]): fc.Arbitrary<T> => fc.constantFrom(...values);

type Draft<T extends Instruction = Instruction> = T extends Instruction ? Omit<T, "id"> : never;

const chunks = fc.integer({ min: 1, max: 4 });
const stepName = one("a", "b", "c");

const output: fc.Arbitrary<Draft> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record(
      { do: one("say"), chunks, varies: fc.boolean(), artifact: one("doc") },
      { requiredKeys: ["do", "chunks", "varies"] },
    ),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: one("put"), artifact: one("doc", "fig"), varies: fc.boolean() }),
  },
  { weight: 1, arbitrary: fc.record({ do: one("status"), varies: fc.boolean() }) },
);

const work: fc.Arbitrary<Draft> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ do: one("step"), name: stepName, fails: one(0), retries: one(0) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: one("step"),
      name: stepName,
      fails: one(1, 2),
      retries: one(1, 2),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: one("parallel"),
      names: fc.array(stepName, { minLength: 2, maxLength: 3 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: one("aside"),
      name: stepName,
      other: one("d", "e"),
      turns: fc.integer({ min: 1, max: 8 }),
      chunks,
      varies: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record(
      { do: one("stream"), name: one("s", "t"), chunks, artifact: one("doc", "own") },
      { requiredKeys: ["do", "name", "chunks"] },
    ),
  },
);

const unnamed: fc.Arbitrary<Draft> = fc.record(
  { do: one("ask"), beside: stepName },
  { requiredKeys: ["do"] },
);
/** Named after its place in the list of instructions, so that no two questions have the same name. */
const named: fc.Arbitrary<Draft> = unnamed.map((question) => ({ ...question, name: "named" }));

const ending: fc.Arbitrary<Ending> = fc.oneof(
  { weight: 5, arbitrary: one("nothing") },
  { weight: 3, arbitrary: one("text", "completed") },
  { weight: 1, arbitrary: one("fail", "reject", "throw") },
);

/** Gives instructions their ids: `o1`, `o2`, in the order in which they were drawn. */
function identify(drafts: readonly Draft[], prefix: string): Instruction[] {
  return drafts.map((draft, index) => {
    const id = `${prefix}${index + 1}`;
    return "name" in draft && draft.name === "named"
      ? ({ ...draft, id, name: `q-${id}` } as Instruction)
      : ({ ...draft, id } as Instruction);
  });
}

export const program: fc.Arbitrary<Program> = fc
  .tuple(
    fc.array(
      fc.oneof(
        { weight: 5, arbitrary: output },
        { weight: 5, arbitrary: work },
        { weight: 3, arbitrary: unnamed },
        { weight: 1, arbitrary: named },
      ),
      { minLength: 1, maxLength: 8 },
    ),
    ending,
  )
  .map(([drafts, ends]) => ({ instructions: identify(drafts, "o"), ending: ends }));

const place = fc.nat(8);

export const edit: fc.Arbitrary<Edit> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc
      .tuple(place, fc.oneof(output, work, named), fc.nat(99))
      .map(([at, draft, number]): Edit => {
        const [instruction] = identify([draft], `e${number}.`);
        return instruction === undefined
          ? { edit: "remove", at }
          : { edit: "insert", at, instruction };
      }),
  },
  { weight: 3, arbitrary: fc.record({ edit: one("remove"), at: place }) },
  { weight: 3, arbitrary: fc.record({ edit: one("move"), from: place, to: place }) },
  { weight: 1, arbitrary: fc.record({ edit: one("end"), ending }) },
);

/** The program after an edit. What an edit may not touch stays where it is. */
export function applyEdit({ instructions, ending: ends }: Program, change: Edit): Program {
  const list = [...instructions];
  switch (change.edit) {
    case "insert": {
      const { at, instruction } = change;
      if (!list.some(({ id }) => id === instruction.id)) {
        list.splice(at % (list.length + 1), 0, instruction);
      }
      break;
    }
    case "remove": {
      const at = movable(list, change.at);
      if (at !== undefined) list.splice(at, 1);
      break;
    }
    case "move": {
      const from = movable(list, change.from);
      const [moved] = from === undefined ? [] : list.splice(from, 1);
      if (moved !== undefined) list.splice(change.to % (list.length + 1), 0, moved);
      break;
    }
    case "end":
      return { instructions, ending: change.ending };
  }
  return { instructions: list, ending: ends };
}

/** A question without a name is known by its number, so it can be neither moved nor removed. */
function movable(list: readonly Instruction[], at: number): number | undefined {
  const instruction = list[at % list.length];
  if (instruction === undefined) return undefined;
  const isCounted = instruction.do === "ask" && instruction.name === undefined;
  return isCounted ? undefined : at % list.length;
}

/** How many chunks an output has in a generation of the handler. */
export function countOf(
  { chunks: count, varies }: { readonly chunks: number; readonly varies: boolean },
  generation: number,
): number {
  return varies ? 1 + ((count + generation * 2) % 4) : count;
}

/** A chunk that says whose it is: `[o3.1/4 g2]` is the second of four, by the second generation. */
export function chunkOf(
  { id, varies }: { readonly id: string; readonly varies: boolean },
  place: { readonly index: number; readonly count: number; readonly generation: number },
): string {
  const { index, count, generation } = place;
  return `[${id}.${index}/${count}${varies ? ` g${generation}` : ""}]`;
}
