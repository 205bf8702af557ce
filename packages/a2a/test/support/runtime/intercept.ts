import type { Store } from "../../../src/store/index.js";

type MethodName = Exclude<
  keyof Store,
  "description" | "isShared" | "foreignVersion" | "connections" | typeof Symbol.asyncDispose
>;

/** Runs a hook before each call of a method of a store. The returned function ends that. */
export function intercept<N extends MethodName>(
  store: Store,
  name: N,
  before: (...args: Parameters<Store[N]>) => unknown,
): () => void {
  const methods: Record<MethodName, unknown> = store;
  const original = methods[name];
  if (typeof original !== "function") throw new Error(`a store has no method ${name}`);
  methods[name] = async (...args: Parameters<Store[N]>): Promise<unknown> => {
    await before(...args);
    return Reflect.apply(original, store, args);
  };
  return () => {
    methods[name] = original;
  };
}
