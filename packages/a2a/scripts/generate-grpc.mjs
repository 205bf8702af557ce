/**
 * Writes `src/grpc/gen/` from `proto/`: for every message a function that encodes its JSON form and one
 * that decodes into it, for every service its methods, and the descriptors that reflection answers with.
 * With `--check` it writes nothing and fails where what is there differs.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import protobuf from "protobufjs";
import { camelCase, describeFile } from "./describe-proto-file.mjs";

const packagePath = dirname(dirname(fileURLToPath(import.meta.url)));
const protoPath = join(packagePath, "proto");
const outputPath = join(packagePath, "src/grpc/gen");

/** The modules, and the files that each holds the messages of. */
const modules = {
  "a2a-v1.ts": ["a2a/v1/a2a.proto"],
  "google-rpc.ts": ["google/rpc/status.proto", "google/rpc/error_details.proto"],
  "grpc-health-v1.ts": ["grpc/health/v1/health.proto"],
  "grpc-reflection-v1.ts": ["grpc/reflection/v1/reflection.proto"],
  "lf-a2a-v1.ts": ["lf/a2a/v1/a2a.proto"],
  "parley-a2a-v1.ts": ["parley/a2a/v1/extensions.proto"],
};

/** Types with a JSON form of their own, which `protobuf-types.ts` reads and writes. */
const wellKnown = {
  ".google.protobuf.Any": "Any",
  ".google.protobuf.Duration": "Duration",
  ".google.protobuf.Empty": "Empty",
  ".google.protobuf.Struct": "Struct",
  ".google.protobuf.Timestamp": "Timestamp",
  ".google.protobuf.Value": "Value",
};

/** Fields that are always there when read: the state 0 is one, and a card's empty list says something. */
const alwaysPresent = new Set(
  [".a2a.v1", ".lf.a2a.v1"].flatMap((name) => [
    `${name}.TaskStatus.state`,
    `${name}.AgentCard.default_input_modes`,
    `${name}.AgentCard.default_output_modes`,
    `${name}.AgentCard.skills`,
    `${name}.AgentSkill.tags`,
  ]),
);

const wireTypes = { bool: 0, enum: 0, int32: 0, bytes: 2, message: 2, string: 2 };

/** @param {string} file */
function parseFile(file) {
  const source = readFileSync(join(protoPath, file), "utf8");
  return protobuf.parse(source, new protobuf.Root(), { keepCase: true });
}

function loadRoot() {
  const root = new protobuf.Root();
  root.resolvePath = (_, target) =>
    protobuf.common.get(target) ? target : join(protoPath, target);
  root.loadSync(Object.values(modules).flat(), { keepCase: true });
  root.resolveAll();
  return root;
}

/** @param {protobuf.Field} field */
function jsonName(field) {
  return field.options?.json_name ?? camelCase(field.name);
}

/** @param {protobuf.Field} field */
function kindOf(field) {
  if (field.resolvedType instanceof protobuf.Enum) return "enum";
  if (field.resolvedType instanceof protobuf.Type) return "message";
  if (field.type in wireTypes) return field.type;
  throw new Error(`${field.fullName}: fields of type ${field.type} are not provided for`);
}

/** `BadRequest.FieldViolation` becomes `BadRequestFieldViolation`. @param {protobuf.ReflectionObject} type */
function localName(type) {
  const outer = type.parent instanceof protobuf.Type ? localName(type.parent) : "";
  return wellKnown[type.fullName] ?? `${outer}${type.name}`;
}

/** @param {protobuf.Field} field */
function tagOf(field) {
  if (field.repeated && kindOf(field) !== "message" && wireTypes[kindOf(field)] !== 2) {
    throw new Error(`${field.fullName}: packed fields are not provided for`);
  }
  return field.map ? field.id * 8 + 2 : field.id * 8 + wireTypes[kindOf(field)];
}

/** @param {protobuf.Field} field */
function hasPresence(field) {
  return field.partOf != null || field.options?.proto3_optional === true;
}

/** A statement that writes one value under a tag. */
function writeOne(field, value, tag) {
  switch (kindOf(field)) {
    case "message":
      return `encode${localName(field.resolvedType)}(${value} as JsonObject, w.uint32(${tag}).fork()), w.ldelim();`;
    case "enum":
      return `w.uint32(${tag}).int32(enumNumber(${localName(field.resolvedType)}, ${value}));`;
    case "bytes":
      return `w.uint32(${tag}).bytes(bytesOf(${value}));`;
    default: {
      const type = { string: "string", bool: "boolean", int32: "number" }[field.type];
      return `w.uint32(${tag}).${field.type}(${value} as ${type});`;
    }
  }
}

function emitEncodeField(field) {
  const name = jsonName(field);
  const value = `m[${JSON.stringify(name)}]`;
  const tag = tagOf(field);
  if (field.map) {
    return [
      `  for (const [key, value] of entries(${value})) {`,
      `    w.uint32(${tag}).fork().uint32(10).string(key);`,
      `    ${writeOne(field, "value", 8 * 2 + wireTypes[kindOf(field)])}`,
      `    w.ldelim();`,
      `  }`,
    ];
  }
  if (field.repeated) {
    return [`  for (const value of items(${value})) ${wrap(writeOne(field, "value", tag))}`];
  }
  const local = camelCase(`the_${field.name}`);
  const isValue = field.resolvedType?.fullName === ".google.protobuf.Value";
  const isWritten = isValue
    ? `${local} !== undefined`
    : hasPresence(field) || kindOf(field) === "message"
      ? `${local} !== undefined && ${local} !== null`
      : local;
  return [
    `  const ${local} = ${value};`,
    `  if (${isWritten}) ${wrap(writeOne(field, local, tag))}`,
  ];
}

/** @param {string} statement */
const wrap = (statement) => (statement.includes("), w.") ? `{ ${statement} }` : statement);

/** An expression that reads one value. */
function readOne(field, end) {
  switch (kindOf(field)) {
    case "message":
      return `readMessage(r, ${end}, decode${localName(field.resolvedType)})`;
    case "enum":
      return `enumName(${localName(field.resolvedType)}Names, r.int32())`;
    case "bytes":
      return "readBytes(r)";
    case "string":
      return "readString(r)";
    default:
      return `r.${field.type}()`;
  }
}

function emitDecodeField(field) {
  const name = JSON.stringify(jsonName(field));
  const tag = tagOf(field);
  if (field.map) {
    const read =
      kindOf(field) === "message"
        ? `(r, end) => ${readOne(field, "end")}`
        : { string: "readString" }[field.type];
    if (read === undefined) throw new Error(`${field.fullName}: not provided for in a map`);
    return [
      `      case ${tag}: readEntry(r, end, (m[${name}] ??= {}) as Decoded, ${read}); break;`,
    ];
  }
  if (field.repeated) {
    // `readMessage` counts messages itself.
    const count = kindOf(field) === "message" ? "" : "r.element(); ";
    return [
      `      case ${tag}: ${count}((m[${name}] ??= []) as unknown[]).push(${readOne(field, "end")}); break;`,
    ];
  }
  const clear = isRealOneof(field) ? `forget(m, ${oneofName(field.partOf)}); ` : "";
  // Zero and absent are the same here, and what is absent has a meaning of its own.
  const zero = kindOf(field) === "enum" ? `${localName(field.resolvedType)}Names[0]` : "0";
  const prune =
    ["enum", "int32"].includes(kindOf(field)) && !hasPresence(field) && !isPreset(field)
      ? `if (m[${name}] === ${zero}) delete m[${name}]; `
      : "";
  return [`      case ${tag}: ${clear}m[${name}] = ${readOne(field, "end")}; ${prune}break;`];
}

/** @param {protobuf.OneOf} oneof */
function oneofName(oneof) {
  return camelCase(`${localName(oneof.parent)}_${oneof.name}_names`);
}

function isRealOneof(field) {
  return field.partOf != null && field.options?.proto3_optional !== true;
}

/** @param {protobuf.Field} field */
const isPreset = (field) => alwaysPresent.has(field.fullName);

/** @param {protobuf.Field} field */
function presetOf(field) {
  return field.repeated ? "[]" : `${localName(field.resolvedType)}Names[0]`;
}

/** @param {protobuf.Type} type */
function emitMessage(type) {
  const name = localName(type);
  const fields = type.fieldsArray.toSorted((a, b) => a.id - b.id);
  if (fields.some(({ id }) => id > 30)) throw new Error(`${type.fullName}: too high a number`);
  const known = fields.reduce((mask, { id }) => mask | (1 << id), 0);
  const preset = fields
    .filter(isPreset)
    .map((field) => `${JSON.stringify(jsonName(field))}: ${presetOf(field)}`);
  const oneofs = new Set(fields.filter(isRealOneof).map((field) => field.partOf));
  return [
    ...Array.from(
      oneofs,
      (oneof) => `const ${oneofName(oneof)} = ${JSON.stringify(oneof.fieldsArray.map(jsonName))};`,
    ),
    fields.length === 0
      ? `function encode${name}(_m: JsonObject, _w: MessageWriter): void {`
      : `function encode${name}(m: JsonObject, w: MessageWriter): void {`,
    ...fields.flatMap(emitEncodeField),
    `}`,
    ``,
    `function decode${name}(r: Reader, end: number): Decoded {`,
    `  const m: Decoded = {${preset.join(", ")}};`,
    `  while (r.pos < end) {`,
    `    const tag = r.uint32();`,
    `    switch (tag) {`,
    ...fields.flatMap(emitDecodeField),
    `      default: skipField(r, tag, ${known});`,
    `    }`,
    `  }`,
    `  return m;`,
    `}`,
    ``,
  ];
}

/** @param {protobuf.Enum} type */
function emitEnum(type) {
  const name = localName(type);
  const values = Object.entries(type.values);
  return [
    `const ${name}: Readonly<Record<string, number>> = {`,
    ...values.map(([value, number]) => `  ${value}: ${number},`),
    `};`,
    `const ${name}Names: readonly string[] = ${JSON.stringify(names(values))};`,
    ``,
  ];
}

function names(values) {
  const byNumber = [];
  for (const [name, number] of values) byNumber[number] = name;
  return byNumber;
}

/** The member by which a server finds the tenant of a request without reading all of it. @param {protobuf.Type} type */
function tenantTag(type) {
  const tenant = type.fields["tenant"];
  return tenant === undefined ? "" : `, tenantTag: ${tagOf(tenant)}`;
}

/** @param {protobuf.Service} service */
function emitService(service) {
  const method = ({ name: method, resolvedRequestType, resolvedResponseType, ...rest }) =>
    `    ${method}: { request: ${localName(resolvedRequestType)}Message, response: ${localName(resolvedResponseType)}Message, isStreaming: ${rest.responseStream === true}${rest.requestStream ? ", isRequestStreaming: true" : ""}${tenantTag(resolvedRequestType)} },`;
  return [
    `export const service: ServiceType = {`,
    `  name: ${JSON.stringify(service.fullName.slice(1))},`,
    `  methods: {`,
    ...service.methodsArray.map((one) => method(one.resolve())),
    `  },`,
    `};`,
    ``,
  ];
}

/** Everything nested in a namespace, the namespace itself left out. */
function* descend(namespace) {
  for (const nested of namespace.nestedArray) {
    yield nested;
    if (nested.nestedArray) yield* descend(nested);
  }
}

function emitModule(root, files) {
  const own = files.flatMap((file) => [...descend(parseFile(file).root)].map((o) => o.fullName));
  const objects = own.map((fullName) => root.lookup(fullName));
  const types = objects.filter((one) => one instanceof protobuf.Type);
  const services = objects.filter((one) => one instanceof protobuf.Service);
  const roots =
    services.length === 0
      ? types.filter((type) => !(type.parent instanceof protobuf.Type))
      : new Set(
          services.flatMap((service) =>
            service.methodsArray.flatMap((method) => [
              method.resolve().resolvedRequestType,
              method.resolvedResponseType,
            ]),
          ),
        );
  const exported = services.length === 0 ? "export " : "";
  const body = [
    ...objects.filter((one) => one instanceof protobuf.Enum).flatMap(emitEnum),
    ...types.flatMap(emitMessage),
    ...Array.from(
      roots,
      (type) =>
        `${exported}const ${localName(type)}Message: MessageType = messageType(${JSON.stringify(type.fullName.slice(1))}, encode${localName(type)}, decode${localName(type)});`,
    ),
    ``,
    ...services.flatMap((service) => emitService(service)),
  ].join("\n");
  return `${heading(files)}${imports(body)}\n${body}`;
}

const heading = (files) =>
  `// Written by \`npm run generate\` from ${files.join(", ")}. Do not edit.\n\n`;

const runtimeNames = {
  "../wire-format.js": [
    "bytesOf",
    "entries",
    "enumName",
    "enumNumber",
    "forget",
    "items",
    "messageType",
    "readBytes",
    "readEntry",
    "readMessage",
    "readString",
    "skipField",
  ],
  "../protobuf-types.js": Object.values(wellKnown).flatMap((name) => [
    `decode${name}`,
    `encode${name}`,
  ]),
};

function imports(body) {
  const uses = (name) => new RegExp(`\\b${name}\\b`).test(body);
  const values = Object.entries(runtimeNames).flatMap(([file, all]) => {
    const used = all.filter(uses);
    return used.length === 0 ? [] : [`import { ${used.join(", ")} } from "${file}";`];
  });
  const types = ["Decoded", "MessageType", "Reader", "ServiceType"].filter(uses);
  return [
    `import type { JsonObject } from "../../protocol/internal.js";`,
    `import type { MessageWriter } from "../message-writer.js";`,
    ...values,
    `import type { ${types.join(", ")} } from "../wire-format.js";`,
    ``,
  ].join("\n");
}

function emitDescriptors(root) {
  const imported = (file) => parseFile(file).imports ?? [];
  const own = Object.values(modules).flat();
  const files = [...new Set([...own.flatMap(imported), ...own])];
  const describe = (file) => {
    const common = protobuf.common.get(file);
    const parsed = common
      ? { root: protobuf.Root.fromJSON(common), package: "google.protobuf", imports: [] }
      : parseFile(file);
    return describeFile(file, parsed, root);
  };
  return [
    `// Written by \`npm run generate\` from the files it names. Do not edit.`,
    ``,
    `import type { FileDescriptor } from "../file-descriptor.js";`,
    ``,
    `export const fileDescriptors: readonly FileDescriptor[] = ${JSON.stringify(files.map(describe), null, 2)};`,
    ``,
  ].join("\n");
}

const root = loadRoot();
const outputs = {
  ...Object.fromEntries(
    Object.entries(modules).map(([name, files]) => [name, emitModule(root, files)]),
  ),
  "descriptors.ts": emitDescriptors(root),
};

const isCheck = process.argv.includes("--check");
for (const [name, text] of Object.entries(outputs)) {
  const path = join(outputPath, name);
  if (!isCheck) {
    mkdirSync(outputPath, { recursive: true });
    writeFileSync(path, text);
  } else if (readFileSync(path, "utf8") !== text) {
    process.stderr.write(`${name} is stale; run npm run generate\n`);
    process.exitCode = 1;
  }
}
