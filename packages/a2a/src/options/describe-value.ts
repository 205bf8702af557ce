const maxShown = 60;

/** A value as an error message shows it. Not for secrets: see `kindOf`. */
export function describeValue(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(shorten(value));
  return kindOf(value);
}

/** What a value is, without the text in it: that may be a secret. */
export function kindOf(value: unknown): string {
  if (typeof value === "function") return describeFunction(value.name);
  if (typeof value === "string") return value === "" ? "an empty string" : "a string";
  if (typeof value !== "object" || value === null) return String(value);
  if (Array.isArray(value)) return value.length === 0 ? "an empty list" : "a list";
  if (isPromise(value)) return "a promise that was not awaited";
  if (Symbol.asyncIterator in value) return "an async generator or stream";
  if (Symbol.iterator in value && "next" in value) return "a generator";
  return describeObject(value);
}

export function isPromise(value: unknown): boolean {
  return (
    typeof value === "object" &&
    value !== null &&
    "then" in value &&
    typeof value.then === "function"
  );
}

function describeFunction(name: string): string {
  return name === "" ? "a function" : `the function ${shorten(name)}`;
}

function describeObject(value: object): string {
  const { name } = (value.constructor as { readonly name?: unknown } | undefined) ?? {};
  if (typeof name === "string" && name !== "" && name !== "Object") {
    return `${/^(?:[AEIO]|U[^i])/.test(name) ? "an" : "a"} ${shorten(name)}`;
  }
  const names = Object.keys(value);
  if (names.length === 0) return "an empty object";
  return `an object with ${names.slice(0, 4).map(shorten).join(", ")}${names.length > 4 ? ", …" : ""}`;
}

function shorten(shown: string): string {
  return shown.length <= maxShown ? shown : `${shown.slice(0, maxShown)}…`;
}
