import { describeValue, isPromise, kindOf } from "./describe-value.js";
import { nearestTo } from "./nearest.js";

/** What an option has to be. */
export interface Rule {
  /** What is wrong with the value of this option, in words; nothing if it is right. */
  problem(value: unknown, option: string): string | undefined;
  /** The names of the members, for a rule of objects. */
  readonly members?: readonly string[];
}

/** A rule for each option. An option without a rule does not compile, and one without a type neither. */
export type Rules<T> = { readonly [K in keyof T]-?: Rule };

/** A rule by what it expects of a value; `undefined` says that the value is right. */
export function rule(expectation: (value: unknown) => string | undefined): Rule {
  return showing(describeValue, expectation);
}

/** A rule for values that no message may show: keys, passwords, certificates. */
export function secret(expectation: (value: unknown) => string | undefined): Rule {
  return showing(kindOf, expectation);
}

function showing(
  show: (value: unknown) => string,
  expectation: (value: unknown) => string | undefined,
): Rule {
  return {
    problem(value, option) {
      const expected = expectation(value);
      if (expected === undefined) return undefined;
      const found = value === undefined ? "is missing" : `is ${show(value)}`;
      return `${option} ${found}; expected ${expected}`;
    },
  };
}

/** A rule that some values need not keep, such as `false`. */
export function either(isAccepted: (value: unknown) => boolean, other: Rule): Rule {
  return {
    ...other,
    problem: (value, option) => (isAccepted(value) ? undefined : other.problem(value, option)),
  };
}

/** A rule that is kept if both are. The second sees only values that keep the first. */
export function both(first: Rule, second: Rule): Rule {
  return {
    ...first,
    problem: (value, option) => first.problem(value, option) ?? second.problem(value, option),
  };
}

/** A rule for lists whose items keep a rule. */
export function listOf(item: Rule, expected: string): Rule {
  const list = rule((value) => (Array.isArray(value) ? undefined : expected));
  return both(list, {
    problem: (value, option) =>
      firstOf(value as readonly unknown[], (one, index) =>
        item.problem(one, `${option}[${index}]`),
      ),
  });
}

/** A rule for objects with any names, whose values keep a rule. */
export function recordOf(item: Rule, expected: string): Rule {
  const record = secret((value) => (isObject(value) ? undefined : expected));
  return both(record, {
    problem: (value, option) =>
      firstOf(Object.entries(value as object), ([name, one]) =>
        item.problem(one, `${option}[${JSON.stringify(name)}]`),
      ),
  });
}

/**
 * A rule for objects with these members. Those that are not required may be absent, or `undefined`. A member that is
 * unknown may stand for a known one or for a related one, such as that of another kind of object.
 */
export function fields<T>(
  rules: Rules<T>,
  required: readonly (keyof T & string)[] = [],
  expected: string = "an object",
  related: readonly string[] = [],
): Rule {
  const known = Object.entries<Rule>(rules);
  const object = secret((value) => (isObject(value) ? undefined : expected));
  return {
    members: Object.keys(rules),
    problem(value, option) {
      if (!isObject(value)) return object.problem(value, option);
      const below = (name: string): string => (option === "" ? name : `${option}.${name}`);
      const unknown = Object.keys(value).find((name) => !Object.hasOwn(rules, name));
      if (unknown !== undefined) {
        return `${below(unknown)} is unknown; ${advice(unknown, known, related)}`;
      }
      return firstOf(known, ([name, one]) => {
        const member = (value as Readonly<Record<string, unknown>>)[name];
        const isNeeded = (required as readonly string[]).includes(name);
        return member === undefined && !isNeeded ? undefined : one.problem(member, below(name));
      });
    },
  };
}

/** Whether a value can have members: no list, and no promise of such a value. */
export function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !isPromise(value);
}

/** Looks one level deeper, too: a setting is easily written beside `settings`. */
function advice(
  name: string,
  known: readonly (readonly [string, Rule])[],
  related: readonly string[],
): string {
  const names = known.map(([own]) => own);
  const deeper = known.find(([, { members }]) => members?.includes(name) === true);
  const meant =
    deeper === undefined ? nearestTo(name, [...names, ...related]) : `${deeper[0]}.${name}`;
  return meant === undefined ? `expected one of ${names.join(", ")}` : `did you mean ${meant}?`;
}

function firstOf<T>(
  items: readonly T[],
  problem: (item: T, index: number) => string | undefined,
): string | undefined {
  for (const [index, item] of items.entries()) {
    const found = problem(item, index);
    if (found !== undefined) return found;
  }
  return undefined;
}
