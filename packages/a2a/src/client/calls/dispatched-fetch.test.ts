import { createServer } from "node:http";
import type { RequestListener, Server } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { platformFetch } from "./dispatched-fetch.js";

let server: Server | undefined;
let connections = 0;

async function open(listener: RequestListener): Promise<string> {
  connections = 0;
  const opened = (server = createServer(listener));
  opened.on("connection", () => (connections += 1));
  await new Promise<void>((resolve) => opened.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(opened.address() as AddressInfo).port}`;
}

/** Opens a server that begins to answer and never ends, and resolves its promise when a caller has left. */
async function openSlow(): Promise<[url: string, left: Promise<void>]> {
  let leave: () => void = () => undefined;
  const left = new Promise<void>((resolve) => (leave = resolve));
  const url = await open((_, response) => {
    response.once("close", leave);
    response.write("begun");
  });
  return [url, left];
}

// The dispatcher is there once fetch was used.
beforeAll(async () => void (await (await fetch("data:,")).text()));

afterEach(() => {
  vi.unstubAllGlobals();
  server?.closeAllConnections();
  server?.close();
});

const post = { method: "POST", headers: { "Content-Type": "text/plain" }, body: "hello" };

describe("a request to the dispatcher of node's fetch", () => {
  it("sends what it was given, and has the answer as a response", async () => {
    const url = await open((request, response) => {
      response.writeHead(201, { "X-Method": request.method, "X-Path": request.url });
      request.pipe(response);
    });
    const response = await platformFetch(`${url}/a?b=c#d`, post);
    expect(response.status).toBe(201);
    expect(response.url).toBe(`${url}/a?b=c#d`);
    expect(response.headers.get("x-method")).toBe("POST");
    expect(response.headers.get("x-path")).toBe("/a?b=c");
    expect(await response.text()).toBe("hello");
  });

  it("uses its connections again; the one that has just answered rests for a turn", async () => {
    const url = await open((request, response) => void request.pipe(response));
    for (let call = 0; call < 10; call += 1) {
      expect(await (await platformFetch(url, post)).text()).toBe("hello");
    }
    expect(connections).toBeLessThanOrEqual(2);
  });

  it("has no body where HTTP has none", async () => {
    const url = await open((_, response) => void response.writeHead(204).end());
    expect((await platformFetch(url, post)).body).toBeNull();
  });

  it("unpacks an answer that was packed, in pieces as they come", async () => {
    const url = await open((request, response) => {
      expect(request.headers["accept-encoding"]).toBe("gzip");
      const packed = gzipSync("one and two");
      response.writeHead(200, { "Content-Encoding": "gzip" });
      response.write(packed.subarray(0, 12));
      setImmediate(() => response.end(packed.subarray(12)));
    });
    expect(await (await platformFetch(url, post)).text()).toBe("one and two");
  });

  it("hands on all of a large answer to a reader that pauses, and holds little of it meanwhile", async () => {
    const chunk = Buffer.alloc(200, "x");
    const count = 100_000;
    let written = 0;
    const url = await open((_, response) => {
      const go = (): void => {
        while (written < count) {
          written += 1;
          if (!response.write(chunk)) return void response.once("drain", go);
        }
        response.end();
      };
      go();
    });
    const reader = (await platformFetch(url, post)).body?.getReader();
    // The server stops once the buffers on the way are full.
    let seen = -1;
    while (seen !== written) {
      seen = written;
      for (let turn = 0; turn < 200; turn += 1)
        await new Promise((resolve) => setImmediate(resolve));
    }
    expect(written).toBeLessThan(count);
    let bytes = 0;
    for (let read = 0; ; read += 1) {
      const { value } = (await reader?.read()) ?? {};
      if (value === undefined) break;
      bytes += value.length;
      if (read % 10 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    expect(bytes).toBe(count * chunk.length);
  });
});

describe("the caller's signal", () => {
  it("ends the wait for an answer", async () => {
    const caller = new AbortController();
    const url = await open(() => caller.abort("enough"));
    await expect(platformFetch(url, { ...post, signal: caller.signal })).rejects.toBe("enough");
  });

  it("sends nothing when it was aborted before", async () => {
    const url = await open(() => expect.fail("a request came"));
    const signal = AbortSignal.abort("enough");
    await expect(platformFetch(url, { ...post, signal })).rejects.toBe("enough");
  });

  it("ends an answer that has begun, and its connection", async () => {
    const caller = new AbortController();
    const [url, left] = await openSlow();
    const { body } = await platformFetch(url, { ...post, signal: caller.signal });
    const reader = body?.getReader();
    expect((await reader?.read())?.value).toHaveLength(5);
    caller.abort(new Error("enough"));
    await expect(reader?.read()).rejects.toThrowError("enough");
    await left;
  });
});

it("ends the connection of a reader that leaves", async () => {
  const [url, left] = await openSlow();
  await (await platformFetch(url, post)).body?.cancel();
  await left;
});

it("says why there is no connection", async () => {
  const url = await open(() => undefined);
  await new Promise((resolve) => server?.close(resolve));
  await expect(platformFetch(url, post)).rejects.toMatchObject({ code: "ECONNREFUSED" });
});

it("fails when the connection is lost in the middle of an answer", async () => {
  const url = await open((_, response) => {
    response.write("begun");
    setImmediate(() => response.destroy());
  });
  await expect((await platformFetch(url, post)).text()).rejects.toThrowError();
});

describe("a redirect", () => {
  const redirecting: RequestListener = (request, response) => {
    if (request.url === "/there") return void request.pipe(response);
    response.writeHead(307, { Location: "/there" }).end();
  };

  it("is followed as fetch follows it", async () => {
    const url = await open(redirecting);
    const response = await platformFetch(url, post);
    expect(response.url).toBe(`${url}/there`);
    expect(await response.text()).toBe("hello");
  });

  it("is the answer for a caller who follows none", async () => {
    const url = await open(redirecting);
    const response = await platformFetch(url, { ...post, redirect: "manual" });
    expect(response.status).toBe(307);
    expect(response.headers.get("location")).toBe("/there");
  });
});

it("leaves it to a program's own fetch, where there is one", async () => {
  vi.stubGlobal("fetch", async () => new Response("own"));
  expect(await (await platformFetch("http://127.0.0.1:1", post)).text()).toBe("own");
});

it("leaves it to a fetch that was there before the client", async () => {
  vi.stubGlobal("fetch", async () => new Response("earlier"));
  vi.resetModules();
  const later = await import("./dispatched-fetch.js");
  expect(await (await later.platformFetch("http://127.0.0.1:1", post)).text()).toBe("earlier");
});

it("refuses an address with credentials as fetch does", async () => {
  await expect(platformFetch("http://ada:secret@127.0.0.1:1", post)).rejects.toThrow(TypeError);
});
