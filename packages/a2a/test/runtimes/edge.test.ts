import { createContext, Script } from "node:vm";
import { expect, it } from "vitest";
import type { Story, StoryPlaces } from "./client-story.js";
import { bundleStory, expectedStory, openStage } from "./open-stage.js";

/** What every edge runtime has, and nothing of node: no `process`, no `Buffer`, no `require`. */
const webGlobals = {
  AbortController,
  AbortSignal,
  atob,
  Blob,
  btoa,
  clearTimeout,
  crypto,
  fetch,
  Headers,
  ReadableStream,
  Request,
  Response,
  setTimeout,
  TextDecoder,
  TextEncoder,
  URL,
  URLSearchParams,
};

it("calls, streams over a bad line and cancels where there is nothing but the web", async () => {
  await using stage = await openStage([]);
  const [bundle, ...others] = await bundleStory({
    format: "iife",
    name: "story",
    codeSplitting: false,
    minify: true,
  });
  expect([others, bundle?.imports]).toEqual([[], []]);
  const context = createContext({ ...webGlobals });
  new Script(bundle?.code ?? "").runInContext(context);
  const { tellStory } = new Script("story").runInContext(context) as {
    tellStory: (places: StoryPlaces) => Promise<Story>;
  };
  const story = await tellStory(stage.places);
  expect(story).toMatchObject(expectedStory);
  expect(story.reconnections).toBeGreaterThan(0);
});
