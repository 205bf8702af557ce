import type { Lab } from "./lab.js";

/** Something that a user of a server or a client notices, measured beside a reference. */
export interface Series {
  readonly name: string;
  readonly title: string;
  /** What it measures, in a sentence or two. */
  readonly what: string;
  /** What it is measured against. */
  readonly reference: string;
  measure(lab: Lab): Promise<Finding>;
}

export interface Finding {
  readonly panels: readonly Panel[];
  readonly growth?: Growth;
  readonly goals: readonly Goal[];
  readonly notes?: readonly string[];
}

/** Bars with one unit. */
export interface Panel {
  readonly title: string;
  readonly unit: string;
  /** Whether long bars are good. */
  readonly better: "more" | "less";
  readonly bars: readonly Bar[];
}

export interface Bar {
  readonly label: string;
  /** One value of every round. */
  readonly values: readonly number[];
  readonly isOurs: boolean;
}

/** How a cost grows with a size, on logarithmic axes. */
export interface Growth {
  readonly title: string;
  readonly sizes: string;
  readonly costs: string;
  readonly lines: readonly {
    readonly label: string;
    readonly isOurs: boolean;
    readonly points: readonly { readonly size: number; readonly values: readonly number[] }[];
  }[];
}

/** What the median of some values is to be. */
export interface Goal {
  readonly what: string;
  readonly values: readonly number[];
  readonly unit: string;
  readonly atLeast?: number;
  readonly atMost?: number;
}
