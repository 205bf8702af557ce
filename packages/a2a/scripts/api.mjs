/**
 * Writes the report of the public API, `docs/api.md`, from the compiled declarations. Fails when a name has no doc
 * comment. With `--check` it writes nothing and fails when the report differs.
 */
import { readFile, writeFile } from "node:fs/promises";
import { format } from "prettier";
import { readPublicApi } from "./public-api.mjs";

const report = new URL("../../../docs/api.md", import.meta.url);
const layers = JSON.parse(await readFile(new URL("../layers.json", import.meta.url), "utf8"));

/** What users want to do, and the entries with which they do it. */
const sections = {
  "Start here": ["."],
  "Serve agents": ["./server", "./node", "./http", "./grpc"],
  "Call agents": [
    "./client",
    "./client/oauth",
    "./client/node",
    "./client/push",
    "./client/signatures",
  ],
  "Know your callers": ["./auth"],
  "Keep tasks": ["./store", "./store/memory", "./store/sqlite", "./store/postgres"],
  "Wake other nodes": ["./bus", "./bus/postgres", "./bus/nats", "./bus/file"],
  "See what happens": ["./otel"],
  "Work with the wire": ["./wire"],
  Test: ["./testing"],
};

/** The report that belongs to the declarations as they are. */
async function createReport() {
  const entries = readPublicApi();
  checkSections(entries);
  checkDescriptions(entries);
  const bySubpath = new Map(entries.map((entry) => [entry.subpath, entry]));
  const homes = homesOf(
    Object.values(sections)
      .flat()
      .map((subpath) => bySubpath.get(subpath)),
  );
  const text = [
    "<!-- Generated from the declarations by `npm run api`. Do not edit. -->",
    "# The public API",
    [
      `These are all the names that \`@parley/a2a\` exports: ${homes.size} in ${entries.length} entries.`,
      "Whatever is not listed here is internal. You need not import a type that only appears inside",
      "another one; TypeScript finds it.",
    ].join("\n"),
    overview(bySubpath),
    ...Object.entries(sections).flatMap(([title, subpaths]) => [
      `## ${title}`,
      ...subpaths.map((subpath) => describeEntry(bySubpath.get(subpath), homes)),
    ]),
  ].join("\n\n");
  return format(text, { filepath: "api.md", printWidth: 100 });
}

function checkSections(entries) {
  const present = entries.map(({ subpath }) => subpath).toSorted();
  const listed = Object.values(sections).flat().toSorted();
  if (present.join() === listed.join()) return;
  throw new Error(
    `the sections of api.mjs list ${listed.join(" ")}, exported are ${present.join(" ")}`,
  );
}

function checkDescriptions(entries) {
  const undescribed = entries.flatMap(({ specifier, groups }) =>
    namesIn(groups)
      .filter(({ sentence }) => sentence === "")
      .map(({ name }) => `${name} of ${specifier}`),
  );
  if (undescribed.length === 0) return;
  throw new Error(`without a doc comment at its declaration: ${undescribed.join(", ")}`);
}

function overview(entries) {
  const rows = Object.entries(sections).flatMap(([title, subpaths]) =>
    subpaths.map((subpath, index) => {
      const { specifier, groups } = entries.get(subpath);
      const link = `[\`${specifier}\`](#${anchorOf(specifier)})`;
      const names = String(namesIn(groups).length);
      return `| ${index === 0 ? title : ""} | ${link} | ${names} | ${runtimeOf(subpath)} |`;
    }),
  );
  return ["| to | import from | names | runs on |", "|---|---|---|---|", ...rows].join("\n");
}

/** The anchor that GitHub gives a heading. */
function anchorOf(heading) {
  return heading.toLowerCase().replace(/[^\w -]/g, "");
}

/** Where an entry runs, as the table of layers has it. */
function runtimeOf(subpath) {
  const [layer = "", folder = ""] = subpath.split("/").slice(1);
  const { runtime, nodeFolders = [] } = layers[layer] ?? {};
  return runtime === "node" || nodeFolders.includes(folder) ? "node" : "everywhere";
}

/** The first entry that exports each declaration; others that repeat it refer to that one. */
function homesOf(entries) {
  const homes = new Map();
  for (const { specifier, groups } of entries) {
    for (const { declaredIn } of namesIn(groups)) {
      if (!homes.has(declaredIn)) homes.set(declaredIn, specifier);
    }
  }
  return homes;
}

function describeEntry({ specifier, paragraph, groups }, homes) {
  const homeOf = ({ declaredIn }) => homes.get(declaredIn);
  return [
    `### \`${specifier}\``,
    paragraph,
    importLine(specifier, groups),
    ...repetitions(specifier, groups, homeOf),
    ...groups.flatMap(({ title, names }) => {
      const own = names.filter((one) => homeOf(one) === specifier);
      if (own.length === 0) return [];
      return [...(title === "" ? [] : [`#### ${title}`]), own.map(describeName).join("\n")];
    }),
  ].join("\n\n");
}

/** Says which names of an entry are described at another one. */
function repetitions(specifier, groups, homeOf) {
  const repeated = namesIn(groups).filter((one) => homeOf(one) !== specifier);
  return [...new Set(repeated.map(homeOf))].map((home) => {
    const names = repeated.filter((one) => homeOf(one) === home).map(({ name }) => `\`${name}\``);
    return `The same as in \`${home}\`: ${names.join(", ")}.`;
  });
}

/** The first functions of an entry, as many as fit on a line. */
function importLine(specifier, groups) {
  const values = namesIn(groups).filter(({ isType }) => !isType);
  const line = (names) => `import { ${names.join(", ")} } from "${specifier}";`;
  const names = values.map(({ name }) => name);
  while (names.length > 3 || line(names).length > 90) names.pop();
  return ["```ts", line(names), "```"].join("\n");
}

function describeName({ signature, sentence, members, parents }) {
  const untold = signature.includes(" extends ") ? [] : parents.map((one) => `\`${one}\``);
  return [
    `- \`${signature}\` — ${sentence}`,
    ...describeMembers(members),
    ...(untold.length === 0 ? [] : [`  - and all of ${untold.join(", ")}`]),
  ].join("\n");
}

/** A line for each method and for each member with a comment, and one for all the others. */
function describeMembers(members) {
  const isPlain = ({ signature, sentence }) => sentence === "" && !signature.includes("(");
  const plain = members.filter(isPlain).map(({ signature }) => `\`${signature}\``);
  const lines = members
    .filter((one) => !isPlain(one))
    .map(({ signature, sentence }) => `  - \`${signature}\`${sentence && `: ${sentence}`}`);
  return plain.length === 0 ? lines : [...lines, `  - ${plain.join(", ")}`];
}

function namesIn(groups) {
  return groups.flatMap(({ names }) => names);
}

const text = await createReport();
if (!process.argv.includes("--check")) await writeFile(report, text);
else if ((await readFile(report, "utf8")) !== text) {
  console.error("docs/api.md differs from the declarations. Run: npm run build && npm run api");
  process.exitCode = 1;
}
