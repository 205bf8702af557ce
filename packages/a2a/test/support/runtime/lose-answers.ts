import type { Store } from "../../../src/store/index.js";

/**
 * Loses one answer of a method of a store: what was asked for is done, and the caller gets an error. The answer that
 * is lost is the first that fits.
 */
export function loseAnswers<N extends "claim" | "claimAbandoned" | "append">(
  store: Store,
  name: N,
  fits: (answer: Awaited<ReturnType<Store[N]>>) => boolean,
): { readonly count: number } {
  const lost = { count: 0 };
  const methods: Record<N, unknown> = store;
  const original = store[name];
  methods[name] = async (...args: unknown[]): Promise<unknown> => {
    const answer = (await Reflect.apply(original, store, args)) as Awaited<ReturnType<Store[N]>>;
    if (lost.count > 0 || !fits(answer)) return answer;
    lost.count += 1;
    throw new Error("the connection was lost");
  };
  return lost;
}
