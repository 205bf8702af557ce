import { describe, expect, it } from "vitest";
import { verifies } from "../../../test/spec/verifies.js";
import { detectGrpc } from "./detect-grpc.js";

const older = "/a2a.v1.A2AService";
const current = "/lf.a2a.v1.A2AService";

describe("detectGrpc", () => {
  it.each([
    [older, undefined, "0.3"],
    [older, "", "0.3"],
    [older, "0.1", "0.3"],
    [older, "0.2", "0.3"],
    [older, "0.3.0", "0.3"],
    [current, undefined, "1.0"],
    [current, "1.0", "1.0"],
    [current, "1.0.1", "1.0"],
  ])("reads a call to %s in version %j as %s", (service, version, expected) => {
    verifies("grpc:metadata-validated");
    const detected = detectGrpc({ path: `${service}/SendMessage`, version });
    expect(detected).toEqual({ method: "SendMessage", version: expected });
  });

  it.each([
    [older, "1.0", "0.1, 0.2, 0.3"],
    [older, "1.1", "0.1, 0.2, 0.3"],
    [older, "0.5", "0.1, 0.2, 0.3"],
    [older, "garbage", "0.1, 0.2, 0.3"],
    [current, "0.3", "1.0"],
    [current, "1.1", "1.0"],
    [current, "99.0", "1.0"],
  ])("refuses a call to %s in version %j", (service, version, supportedVersions) => {
    verifies("version:unsupported");
    expect(detectGrpc({ path: `${service}/GetTask`, version })).toEqual({
      error: expect.objectContaining({
        code: "VERSION_NOT_SUPPORTED",
        details: { metadata: { requestedVersion: version, supportedVersions } },
      }),
    });
  });

  it.each([
    "/lf.a2a.v2.A2AService/GetTask",
    "/a2a.v1.OtherService/GetTask",
    "/grpc.health.v1.Health/Check",
    "/a2a.v1.A2AService",
    "/a2a.v1.A2AService/",
    "/a2a.v1.A2AService/GetTask/more",
    "a2a.v1.A2AService/GetTask",
    "",
  ])("knows no method at %j", (path) => {
    for (const version of [undefined, "1.0", "garbage"]) {
      expect(detectGrpc({ path, version })).toEqual({
        error: expect.objectContaining({ code: "METHOD_NOT_FOUND" }),
      });
    }
  });

  it.each([
    ["CreateTaskPushNotification", "CreateTaskPushNotificationConfig"],
    ["GetTaskPushNotification", "GetTaskPushNotificationConfig"],
    ["ListTaskPushNotification", "ListTaskPushNotificationConfig"],
    ["DeleteTaskPushNotificationConfig", "DeleteTaskPushNotificationConfig"],
    ["constructor", "constructor"],
  ])("takes %s of a2a.v1 as %s", (method, expected) => {
    const call = { path: `${older}/${method}`, version: undefined };
    expect(detectGrpc(call)).toEqual({ method: expected, version: "0.3" });
    const sameName = { path: `${current}/${method}`, version: "1.0" };
    expect(detectGrpc(sameName)).toEqual({ method, version: "1.0" });
  });
});
