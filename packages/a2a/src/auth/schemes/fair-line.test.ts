import { describe, expect, it } from "vitest";
import { createDeferred } from "../../async/internal.js";
import { FairLine } from "./fair-line.js";

/** A line whose work waits for the test, and the order in which it was begun. */
function openLine() {
  const line = new FairLine();
  const begun: string[] = [];
  const refused: string[] = [];
  const gate = createDeferred<void>();
  const ask = async (address: string, user: string, name = `${address} ${user}`): Promise<void> => {
    try {
      await line.run({ address, user }, async () => {
        begun.push(name);
        await gate.promise;
      });
    } catch {
      refused.push(name);
    }
  };
  return { ask, begun, refused, finish: () => gate.resolve() };
}

describe("a line in which callers wait", () => {
  it("takes turns between addresses, then between the user names of each", async () => {
    const { ask, begun, finish } = openLine();
    const all = [
      ask("a", "x", "first"),
      ask("a", "x", "a x 1"),
      ask("a", "x", "a x 2"),
      ask("a", "y", "a y 1"),
      ask("b", "x", "b x 1"),
      ask("b", "x", "b x 2"),
      ask("c", "z", "c z 1"),
    ];
    finish();
    await Promise.all(all);
    expect(begun).toEqual(["first", "a x 1", "b x 1", "c z 1", "a y 1", "b x 2", "a x 2"]);
  });

  it("refuses who asks for too much, and nobody else", async () => {
    const { ask, begun, refused, finish } = openLine();
    const all = [ask("a", "x")];
    for (let index = 0; index < 50; index += 1) all.push(ask("a", "x"));
    all.push(ask("a", "y"), ask("b", "x"));
    finish();
    await Promise.all(all);
    expect(begun).toHaveLength(11);
    expect(refused).toEqual(Array.from({ length: 42 }, () => "a x"));
  });

  it("refuses an address that makes up user names", async () => {
    const { ask, begun, finish } = openLine();
    const all = Array.from({ length: 1000 }, (_, index) => ask("a", `user ${index}`));
    all.push(ask("b", "ada"));
    finish();
    await Promise.all(all);
    expect(begun.indexOf("b ada")).toBeLessThanOrEqual(2);
    expect(begun).toHaveLength(34);
  });

  it("has an end in all, and lets an address in that waits for less than others", async () => {
    const { ask, begun, refused, finish } = openLine();
    const all: Promise<void>[] = [];
    for (let address = 0; address < 9; address += 1) {
      for (let user = 0; user < 32; user += 1) all.push(ask(`a${address}`, `u${user}`));
    }
    all.push(ask("b", "ada"));
    finish();
    await Promise.all(all);
    expect(begun).toContain("b ada");
    expect(begun).toHaveLength(257);
    expect(begun.length + refused.length).toBe(289);
  });

  it("goes on after work that failed", async () => {
    const line = new FairLine();
    const asker = { address: "a", user: "x" };
    const failing = line.run(asker, () => Promise.reject(new Error("no")));
    const working = line.run(asker, async () => "yes");
    await expect(failing).rejects.toThrowError("no");
    expect(await working).toBe("yes");
    expect(await line.run(asker, async () => "again")).toBe("again");
  });
});
