import protobuf from "protobufjs";
import descriptor from "protobufjs/ext/descriptor/index.js";

/** The numbers of google.protobuf.FieldDescriptorProto.Type. */
const types = {
  double: 1,
  int64: 3,
  int32: 5,
  bool: 8,
  string: 9,
  message: 11,
  bytes: 12,
  enum: 14,
};

/** @param {string} name */
export const camelCase = (name) =>
  name.replaceAll(/_([a-z0-9])/g, (_, letter) => letter.toUpperCase());

/** @param {string} name */
const snakeCase = (name) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/**
 * A file as reflection answers with it: its `FileDescriptorProto` and what it defines.
 *
 * @param {string} name
 * @param {{ root: protobuf.Root, package?: string | null, imports?: string[] | null }} file
 * @param {protobuf.Root} all every file, to look up what a field refers to
 */
export function describeFile(name, file, all) {
  const namespace = file.root.lookup(file.package ?? "");
  const symbols = [];
  const nested = namespace.nestedArray;
  const message = {
    name,
    package: file.package ?? "",
    dependency: file.imports ?? [],
    messageType: nested.filter((one) => one instanceof protobuf.Type).map(describeType),
    enumType: nested.filter((one) => one instanceof protobuf.Enum).map(describeEnum),
    service: nested.filter((one) => one instanceof protobuf.Service).map(describeService),
    syntax: "proto3",
  };
  const bytes = descriptor.FileDescriptorProto.encode(
    descriptor.FileDescriptorProto.fromObject(message),
  ).finish();
  return {
    name,
    dependencies: message.dependency,
    symbols,
    base64: Buffer.from(bytes).toString("base64"),
  };

  function describeType(type) {
    symbols.push(type.fullName.slice(1));
    const resolved = all.lookupType(type.fullName);
    const fields = resolved.fieldsArray.toSorted((a, b) => a.id - b.id);
    const oneofs = resolved.oneofsArray.filter((one) => !one.fieldsArray.every(isOptional));
    const synthetic = fields.filter(isOptional);
    const indexOf = (field) =>
      isOptional(field)
        ? oneofs.length + synthetic.indexOf(field)
        : oneofs.findIndex((oneof) => oneof.fieldsArray.includes(field));
    return {
      name: type.name,
      field: fields.map((field) => describeField(field, indexOf(field))),
      nestedType: [
        ...type.nestedArray.filter((one) => one instanceof protobuf.Type).map(describeType),
        ...fields.filter((field) => field.map).map(describeEntry),
      ],
      enumType: type.nestedArray.filter((one) => one instanceof protobuf.Enum).map(describeEnum),
      oneofDecl: [
        ...oneofs.map((oneof) => ({ name: snakeCase(oneof.name) })),
        ...synthetic.map((field) => ({ name: `_${field.name}` })),
      ],
    };
  }

  function describeField(field, oneofIndex) {
    const isList = field.repeated || field.map;
    const name = snakeCase(field.name);
    return {
      name,
      number: field.id,
      label: isList ? 3 : 1,
      ...(field.map
        ? { type: types.message, typeName: `${field.parent.fullName}.${entryName(field)}` }
        : describeValue(field)),
      // As protoc does for every field: there are readers that do not derive it.
      jsonName: field.options?.json_name ?? camelCase(name),
      ...(oneofIndex >= 0 && { oneofIndex }),
      ...(isOptional(field) && { proto3Optional: true }),
    };
  }

  /** The message that a map is a list of. */
  function describeEntry(field) {
    return {
      name: entryName(field),
      field: [
        { name: "key", jsonName: "key", number: 1, label: 1, type: types[field.keyType] },
        { name: "value", jsonName: "value", number: 2, label: 1, ...describeValue(field) },
      ],
      options: { mapEntry: true },
    };
  }

  function describeEnum(type) {
    symbols.push(type.fullName.slice(1));
    const values = Object.entries(type.values);
    return { name: type.name, value: values.map(([value, number]) => ({ name: value, number })) };
  }

  function describeService(service) {
    symbols.push(service.fullName.slice(1));
    const { methodsArray } = all.lookupService(service.fullName);
    return { name: service.name, method: methodsArray.map(describeMethod) };
  }

  function describeMethod(method) {
    symbols.push(method.fullName.slice(1));
    const { resolvedRequestType, resolvedResponseType } = method.resolve();
    return {
      name: method.name,
      inputType: resolvedRequestType.fullName,
      outputType: resolvedResponseType.fullName,
      ...(method.requestStream && { clientStreaming: true }),
      ...(method.responseStream && { serverStreaming: true }),
    };
  }
}

function describeValue(field) {
  const { resolvedType } = field;
  if (resolvedType == null) return { type: types[field.type] };
  const type = resolvedType instanceof protobuf.Enum ? types.enum : types.message;
  return { type, typeName: resolvedType.fullName };
}

function isOptional(field) {
  return field.options?.proto3_optional === true;
}

/** `security_schemes` is a list of `SecuritySchemesEntry`. */
function entryName(field) {
  const words = snakeCase(field.name).split("_");
  return `${words.map((word) => word[0].toUpperCase() + word.slice(1)).join("")}Entry`;
}
