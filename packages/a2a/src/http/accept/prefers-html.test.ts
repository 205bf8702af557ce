import { expect, test } from "vitest";
import { prefersHtml } from "./prefers-html.js";

test.each([
  "text/html",
  "Text/HTML; charset=utf-8",
  "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8",
  "text/html, application/json",
  "application/json;q=0.5, text/html;q=0.7",
])("whoever asks for %j prefers HTML", (accept) => {
  expect(prefersHtml(accept)).toBe(true);
});

test.each([
  undefined,
  "",
  "*/*",
  "text/*",
  "application/json",
  "application/json, text/html",
  "text/html;q=0.5, application/json",
  "text/html;q=0",
  "text/html;q=x, application/json;q=0",
  "text/event-stream, text/html;q=0.9",
  ";;,,;q=",
])("whoever asks for %j does not", (accept) => {
  expect(prefersHtml(accept)).toBe(false);
});
