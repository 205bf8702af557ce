/**
 * Writes docs/cli.svg: what a terminal shows of send, a stream, a chat and a doctor, as the compiled program says it.
 * `npm run build`, then `node packages/cli/scripts/record-terminal.mjs`. Needs `script` of util-linux.
 */
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const main = fileURLToPath(new URL("../dist/main.js", import.meta.url));
const picture = fileURLToPath(new URL("../../../docs/cli.svg", import.meta.url));
const parley = `'${process.execPath}' '${main}'`;

/** Runs a command at a terminal, types the lines once it asks for them, and resolves to what was shown. */
async function record(command, lines = []) {
  const child = spawn("script", ["-qfec", `${parley} ${command}`, "/dev/null"], {
    env: { ...process.env, TERM: "xterm", COLUMNS: "100" },
  });
  let shown = "";
  let typed = 0;
  child.stdout.setEncoding("utf8").on("data", (text) => {
    shown += text;
    const prompts = shown.split("> ").length - 1;
    if (prompts > typed && typed < lines.length) child.stdin.write(`${lines[typed++]}\r`);
  });
  await new Promise((resolve) => child.once("close", resolve));
  return shown;
}

/** Lines without what moves the cursor, with short ids, and with the address of the example. */
function clean(text, url) {
  return text
    .replaceAll(/[^\n]*\r\p{Cc}\[K/gu, "")
    .replaceAll(/\p{Cc}\[\d*[A-HJKG]|\r/gu, "")
    .replaceAll(url, "http://localhost:4100")
    .replaceAll(new URL(url).host, "localhost:4100")
    .replaceAll(/([\da-f]{4})[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/g, "$1…")
    .trimEnd()
    .split("\n")
    .map((line) => line.slice(0, 160));
}

const styles = {
  1: "font-weight:bold",
  2: "opacity:.6",
  3: "font-style:italic",
  4: "text-decoration:underline",
  36: "fill:#7dcfff",
};

/** A line as SVG: its sequences become styles. */
function spansOf(line) {
  let style = "";
  return line
    .split(/(\p{Cc}\[\d+m)/u)
    .map((piece) => {
      const code = /^\p{Cc}\[(\d+)m$/u.exec(piece)?.[1];
      if (code !== undefined) {
        style = styles[code] ?? "";
        return "";
      }
      const text = piece.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
      return style === "" || text === "" ? text : `<tspan style="${style}">${text}</tspan>`;
    })
    .join("");
}

/** What somebody has typed stands out. */
const typedStyle = ' fill="#9ece6a" font-weight="bold"';

function draw(lines) {
  const [lineHeight, width] = [18, 980];
  const height = lines.length * lineHeight + 32;
  const rows = lines.map(
    (line, index) =>
      `<text x="16" y="${28 + index * lineHeight}"${/^[$>] /.test(line) ? typedStyle : ""}>${spansOf(line)}</text>`,
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="monospace" font-size="13" fill="#c0caf5" xml:space="preserve">`,
    `<rect width="${width}" height="${height}" rx="8" fill="#1a1b26"/>`,
    ...rows,
    "</svg>",
    "",
  ].join("\n");
}

const server = spawn(process.execPath, [main, "serve", "--port", "0", "--store", "memory:"]);
try {
  const url = await new Promise((resolve) => {
    let said = "";
    server.stdout.setEncoding("utf8").on("data", (text) => {
      said += text;
      const found = /^Card: (\S+)\/\.well-known/m.exec(said);
      if (found !== null) resolve(found[1]);
    });
  });
  process.env.A2ACLI_AGENT_CARD = url;
  const doctor = `doctor ${url} --a2a-version 1.0 --transport JSONRPC --message "stream 5 50"`;
  const scenes = [
    { command: 'send "task write a haiku"' },
    { command: 'send "stream 5 50" --stream' },
    { command: "chat", typed: ["flight", "Helsinki to New York", "/quit"] },
    { command: doctor },
  ];
  const lines = [];
  for (const { command, typed } of scenes) {
    const shown = clean(await record(command, typed), url);
    lines.push(`$ parley ${command}`.replace(url, "localhost:4100"), ...shown, "");
  }
  writeFileSync(picture, draw(lines));
} finally {
  server.kill();
}
