import { Server, ServerCredentials } from "@grpc/grpc-js";
import type { DefaultRequestHandler } from "a2a-sdk-1.0/server";
import { A2AService, grpcService, UserBuilder } from "a2a-sdk-1.0/server/grpc";

/** The official SDK's gRPC server. Resolves with its port. */
export function listen(requestHandler: DefaultRequestHandler): Promise<number> {
  const server = new Server();
  const service = grpcService({ requestHandler, userBuilder: UserBuilder.noAuthentication });
  server.addService(A2AService, service);
  return new Promise((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, port) => {
      if (error === null) resolve(port);
      else reject(error);
    });
  });
}
