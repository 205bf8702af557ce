/** The type with assignable members, for an object that is built step by step. */
export type Writable<T> = { -readonly [Name in keyof T]: T[Name] };
