import { setTimeout as sleep } from "node:timers/promises";
import { agent, textOf } from "@parley/a2a";
import type {
  Agent,
  AgentDefinition,
  AgentSkill,
  Handler,
  Outcome,
  Output,
  RunContext,
} from "@parley/a2a";

type Demo = AsyncGenerator<Output, Outcome, void>;

/** The skills of the demo agent, by the first word of a message. */
const skills: Readonly<
  Record<string, { readonly description: string; readonly example: string; readonly run: Handler }>
> = {
  echo: {
    description: "Answers with a message that repeats yours",
    example: "echo hello",
    run: (context) => rest(context),
  },
  task: {
    description: "Opens a task and finishes it with one text artifact",
    example: "task write a haiku",
    async *run(context): Demo {
      yield { artifact: "result", name: "result.txt", text: rest(context) };
    },
  },
  both: {
    description:
      "Finishes a task with the answer in an artifact and in its status, as some callers read only one",
    example: "both write a haiku",
    async *run(context): Demo {
      const answer = rest(context);
      yield { artifact: "result", text: answer };
      return { completed: answer };
    },
  },
  page: {
    description: "Answers in HTML, or in plain text if you accept no HTML (acceptedOutputModes)",
    example: "page hello",
    run: (context) => {
      const words = rest(context);
      if (!context.accepts("text/html")) return words;
      return { text: `<h1>${escapeHtml(words)}</h1>`, mediaType: "text/html" };
    },
  },
  stream: {
    description: "Streams one artifact in N chunks, MS milliseconds apart; can be canceled",
    example: "stream 20 100",
    async *run(context): Demo {
      const [count = 10, pauseMs = 100] = numbers(context);
      for (let chunk = 1; chunk <= count; chunk += 1) {
        if (chunk > 1 && pauseMs > 0) await sleep(pauseMs, undefined, { signal: context.signal });
        yield `chunk ${chunk} `;
      }
    },
  },
  flight: {
    description:
      "Asks where and when, then books a flight; survives a restart between the questions",
    example: "flight",
    async *run({ ask, step }): Demo {
      const route = textOf(await ask("Sure! Where would you like to fly to, and from where?"));
      const dates = textOf(await ask("And on which dates?"));
      yield { status: "Looking for flights", progress: 0.5 };
      const booking = await step("book", () => ({ confirmationId: "XYZ123", route, dates }));
      yield { artifact: "itinerary", name: "FlightItinerary.json", data: booking };
      return `Booked. Your confirmation is ${booking.confirmationId}.`;
    },
  },
  wait: {
    description: "Works for S seconds without output; can be canceled",
    example: "wait 5",
    async *run(context): Demo {
      const [seconds = 1] = numbers(context);
      yield { status: `Waiting for ${seconds} s` };
      await sleep(seconds * 1000, undefined, { signal: context.signal });
      return "Done waiting.";
    },
  },
  fail: {
    description: "Fails, with a reason",
    example: "fail",
    run: ({ fail }) => fail("This task fails because you asked it to."),
  },
  reject: {
    description: "Rejects the task",
    example: "reject",
    run: ({ reject }) => reject("This agent does not take on such tasks."),
  },
  auth: {
    description: "Waits for authorization; the next message counts as authorization",
    example: "auth",
    async run({ authRequired }) {
      await authRequired(
        "Please authorize this at https://auth.example/demo, then send a message.",
      );
      return "Thank you, that worked.";
    },
  },
  file: {
    description: "Answers with a file",
    example: "file",
    async *run(): Demo {
      const bytes = new TextEncoder().encode("name,value\nanswer,42\n");
      yield { artifact: "report", file: { bytes, mediaType: "text/csv", filename: "report.csv" } };
    },
  },
};

/** A skill that only the extended card names. */
const reserved: typeof skills = {
  whoami: {
    description: "Says who you are, as far as the server knows",
    example: "whoami",
    run: ({ caller }) => `You are ${caller?.subject ?? "somebody"}.`,
  },
};

const all = { ...skills, ...reserved };

const definition: AgentDefinition = {
  name: "Parley demo",
  description:
    "Shows what A2A can do. The first word of a message chooses a skill; any other word shows help.",
  version: "0.1.0",
  durable: true,
  inputModes: ["text/plain", "*/*"],
  outputModes: ["text/plain", "text/html", "application/json", "text/csv"],
  capabilities: { pushNotifications: true },
  skills: describe(skills),
  run: (context) => {
    const [word = ""] = context.text.trim().toLowerCase().split(/\s+/);
    return Object.hasOwn(all, word) ? all[word]?.run(context) : help();
  },
};

/** An agent with a small skill for each feature of the protocol. */
export const demoAgent: Agent = agent(definition);

/** The same with an extended card, for a server whose callers authenticate. */
export const extendedDemoAgent: Agent = agent({
  ...definition,
  extendedCard: (card, { principal }) => ({
    ...card,
    description: `${card.description} You are ${principal?.subject ?? "somebody"}.`,
    skills: [...card.skills, ...describe(reserved)],
  }),
});

function describe(given: typeof skills): readonly AgentSkill[] {
  return Object.entries(given).map(([name, { description, example }]) => ({
    id: name,
    name,
    description,
    tags: ["demo"],
    examples: [example],
  }));
}

function help(): string {
  const lines = Object.values(skills).map(
    ({ example, description }) => `${example}: ${description}`,
  );
  return ["Send one of these:", ...lines].join("\n");
}

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

/** The text after the first word. */
function rest({ text }: RunContext): string {
  return text.trim().replace(/^\S+\s*/, "");
}

/**
 * The numbers in a message, each at most a million, since timers do not support delays of many more
 * seconds.
 */
function numbers(context: RunContext): readonly number[] {
  const words = rest(context).match(/\S+/g) ?? [];
  return words
    .map(Number)
    .filter((number) => number >= 0)
    .map((number) => Math.min(number, 1_000_000));
}
