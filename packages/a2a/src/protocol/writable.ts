/** A type whose members can be set one after the other, for objects that are built step by step. */
export type Writable<T> = { -readonly [Name in keyof T]: T[Name] };
