/** Requirements on the JSON-RPC, REST and gRPC bindings and on what they have in common (§5, §9 to §11). */
export const bindings = {
  "binding:core-operations": {
    section: "3.1",
    level: "MUST",
    text: "A server offers every core operation in each binding that it serves.",
  },
  "binding:data-model": {
    section: "4",
    level: "MUST",
    text: "A binding represents every object of the data model without loss of meaning.",
  },
  "binding:same-operations": {
    section: "5.1",
    level: "MUST",
    text: "A server offers the same operations and capabilities in all of its bindings.",
  },
  "binding:same-results": {
    section: "5.1",
    level: "MUST",
    text: "A server gives equivalent results for the same request in all of its bindings.",
  },
  "binding:same-errors": {
    section: "5.1",
    level: "MUST",
    text: "A server reports the same error in all of its bindings, each by its own code.",
  },
  "binding:same-authentication": {
    section: "5.1",
    level: "MUST",
    text: "A server accepts the authentication schemes of its card in all of its bindings.",
  },
  "binding:parameter-names": {
    section: "3.2.6",
    level: "MUST",
    text: "A server matches the names of service parameters without regard to case.",
  },
  "binding:parameter-values": {
    section: "3.2.6",
    level: "MUST",
    text: "A server compares the values of service parameters with regard to case.",
  },
  "binding:types-from-proto": {
    section: "1.4",
    level: "MUST",
    text: "A library's wire types agree with the proto definition field by field.",
  },
  "binding:older-requests": {
    section: "A.2",
    level: "MAY",
    text: "A server accepts the older form of a request beside the current one.",
  },
  "binding:current-responses": {
    section: "A.2",
    level: "SHOULD",
    text: "A server answers only in the current form of the version in use.",
  },
  "jsonrpc:content-type": {
    section: "9.1",
    level: "MUST",
    text: "A client and a server label JSON-RPC bodies application/json.",
  },
  "jsonrpc:method-names": {
    section: "9.1",
    level: "MUST",
    text: "A server offers every operation under its PascalCase method name.",
  },
  "jsonrpc:headers": {
    section: "9.2",
    level: "MUST",
    text: "A client sends service parameters as HTTP headers of the JSON-RPC request.",
  },
  "jsonrpc:comma-separated": {
    section: "9.2",
    level: "SHOULD",
    text: "A client joins several values of a service parameter by commas in one header.",
  },
  "jsonrpc:request-form": {
    section: "9.3",
    level: "MUST",
    text: "A client sends every call as a JSON-RPC 2.0 request.",
  },
  "jsonrpc:response-id": {
    section: "9.3",
    level: "MUST",
    text: "A server repeats the id of a request in its response.",
  },
  "jsonrpc:send-result": {
    section: "9.4.1",
    level: "MUST",
    text: "A server answers SendMessage with a result that wraps either a task or a message.",
  },
  "jsonrpc:stream-content-type": {
    section: "9.4.2",
    level: "MUST",
    text: "A server answers a streaming method with status 200 and text/event-stream.",
  },
  "jsonrpc:stream-frames": {
    section: "9.4.2",
    level: "MUST",
    text: "A server sends each stream event as one data field that holds a whole JSON-RPC response.",
  },
  "jsonrpc:subscribe-frames": {
    section: "9.4.6",
    level: "MUST",
    text: "A server streams SubscribeToTask in the same form as SendStreamingMessage.",
  },
  "jsonrpc:extended-card-params": {
    section: "9.4.8",
    level: "MUST",
    text: "A server accepts GetExtendedAgentCard without params.",
  },
  "jsonrpc:error-object": {
    section: "9.5",
    level: "MUST",
    text: "A server puts the numeric code, the message and the details of an error in a JSON-RPC error object.",
  },
  "jsonrpc:error-data": {
    section: "9.5",
    level: "MUST",
    text: "A server puts error details in error.data as an array of objects that each have an @type.",
  },
  "jsonrpc:error-info": {
    section: "9.5",
    level: "SHOULD",
    text: "A server adds an ErrorInfo to the data of a protocol error.",
  },
  "jsonrpc:bad-request": {
    section: "9.5",
    level: "SHOULD",
    text: "A server adds a BadRequest to the data of a validation error.",
  },
  "jsonrpc:parse-error": {
    section: "9.5",
    level: "MUST",
    text: "A server answers a body that is not JSON with code -32700.",
  },
  "jsonrpc:invalid-request": {
    section: "9.5",
    level: "MUST",
    text: "A server answers JSON that is not a request with code -32600.",
  },
  "jsonrpc:method-not-found": {
    section: "9.5",
    level: "MUST",
    text: "A server answers an unknown method with code -32601.",
  },
  "jsonrpc:invalid-params": {
    section: "9.5",
    level: "MUST",
    text: "A server answers invalid parameters with code -32602.",
  },
  "jsonrpc:internal-error": {
    section: "9.5",
    level: "MUST",
    text: "A server answers an internal failure with code -32603.",
  },
  "jsonrpc:error-codes": {
    section: "5.4",
    level: "MUST",
    text: "A server reports the nine protocol errors as codes -32001 to -32009 in the order of the mapping table.",
  },
  "rest:content-type": {
    section: "11.1",
    level: "SHOULD",
    text: "A client and a server label REST bodies application/a2a+json.",
  },
  "rest:headers": {
    section: "11.2",
    level: "MUST",
    text: "A client sends service parameters as HTTP headers of the REST request.",
  },
  "rest:comma-separated": {
    section: "11.2",
    level: "SHOULD",
    text: "A client joins several values of a service parameter by commas in one REST header.",
  },
  "rest:send": {
    section: "11.3.1",
    level: "MUST",
    text: "A server takes POST /message:send as SendMessage.",
  },
  "rest:stream": {
    section: "11.3.1",
    level: "MUST",
    text: "A server takes POST /message:stream as SendStreamingMessage.",
  },
  "rest:get": {
    section: "11.3.2",
    level: "MUST",
    text: "A server takes GET /tasks/{id} as GetTask.",
  },
  "rest:list": {
    section: "11.3.2",
    level: "MUST",
    text: "A server takes GET /tasks as ListTasks.",
  },
  "rest:cancel": {
    section: "11.3.2",
    level: "MUST",
    text: "A server takes POST /tasks/{id}:cancel as CancelTask.",
  },
  "rest:subscribe": {
    section: "11.3.2",
    level: "MUST",
    text: "A server takes both POST and GET /tasks/{id}:subscribe as SubscribeToTask.",
  },
  "rest:push": {
    section: "11.3.3",
    level: "MUST",
    text: "A server offers push configurations by POST, GET and DELETE under /tasks/{id}/pushNotificationConfigs.",
  },
  "rest:extended-card": {
    section: "11.3.4",
    level: "MUST",
    text: "A server takes GET /extendedAgentCard as GetExtendedAgentCard.",
  },
  "rest:body-form": {
    section: "11.4",
    level: "MUST",
    text: "A client and a server exchange REST bodies in the JSON form of the proto messages.",
  },
  "rest:parameters": {
    section: "11.5",
    level: "MUST",
    text: "A client sends the parameters of a GET or DELETE in the path or the query.",
  },
  "rest:query-names": {
    section: "11.5",
    level: "MUST",
    text: "A client writes query parameter names in camelCase.",
  },
  "rest:query-scalars": {
    section: "11.5",
    level: "MUST",
    text: "A client writes booleans in a query as true or false and numbers in decimal.",
  },
  "rest:query-enums": {
    section: "11.5",
    level: "MUST",
    text: "A client writes an enum in a query as its proto name.",
  },
  "rest:query-timestamps": {
    section: "11.5",
    level: "MUST",
    text: "A client writes a timestamp in a query as an ISO 8601 string.",
  },
  "rest:query-repeated": {
    section: "11.5",
    level: "MAY",
    text: "A client repeats a query parameter or joins its values by commas.",
  },
  "rest:query-nested": {
    section: "11.5",
    level: "MUST",
    text: "A client sends a request with nested objects as a POST with a body.",
  },
  "rest:query-encoding": {
    section: "11.5",
    level: "MUST",
    text: "A client percent-encodes query parameter values.",
  },
  "rest:error-body": {
    section: "11.6",
    level: "MUST",
    text: "A server answers a REST failure with an error object of code, status, message and details.",
  },
  "rest:error-code": {
    section: "11.6",
    level: "MUST",
    text: "A server sets error.code to the HTTP status of the response.",
  },
  "rest:error-status": {
    section: "5.4",
    level: "MUST",
    text: "A server answers each protocol error with the HTTP status of the mapping table.",
  },
  "rest:detail-type": {
    section: "11.6",
    level: "MUST",
    text: "A server gives every object in error.details an @type.",
  },
  "rest:error-info": {
    section: "11.6",
    level: "MUST",
    text: "A server adds to a protocol error an ErrorInfo with the reason of the error and the domain a2a-protocol.org.",
  },
  "rest:bad-request": {
    section: "11.6",
    level: "SHOULD",
    text: "A server adds a BadRequest to the details of a REST validation error.",
  },
  "rest:stream-frames": {
    section: "11.7",
    level: "MUST",
    text: "A server sends each REST stream event as one data field that holds a bare StreamResponse.",
  },
  "rest:stream-order": {
    section: "11.7",
    level: "SHOULD",
    text: "A server avoids reordering the events of a REST stream.",
  },
  "grpc:service": {
    section: "10.1",
    level: "MUST",
    text: "A server implements the A2AService of the proto definition with proto3 messages.",
  },
  "grpc:tls": {
    section: "10.1",
    level: "MUST",
    text: "A server offers gRPC over HTTP/2 with TLS.",
  },
  "grpc:metadata": {
    section: "10.2",
    level: "MUST",
    text: "A client sends service parameters as gRPC metadata.",
  },
  "grpc:metadata-read": {
    section: "10.2",
    level: "MUST",
    text: "A server reads service parameters from gRPC metadata.",
  },
  "grpc:metadata-validated": {
    section: "10.2",
    level: "SHOULD",
    text: "A server checks required service parameters such as the version in gRPC metadata.",
  },
  "grpc:comma-separated": {
    section: "10.2",
    level: "SHOULD",
    text: "A client joins several values of a service parameter by commas in one metadata entry.",
  },
  "grpc:delete-empty": {
    section: "10.4.10",
    level: "MUST",
    text: "A server answers the deletion of a push configuration over gRPC with an empty message.",
  },
  "grpc:server-streaming": {
    section: "10.7",
    level: "MUST",
    text: "A server streams updates over gRPC as server-streaming calls of StreamResponse.",
  },
  "grpc:error-status": {
    section: "5.4",
    level: "MUST",
    text: "A server reports each protocol error with the gRPC status of the mapping table.",
  },
  "grpc:error-details": {
    section: "10.6",
    level: "MUST",
    text: "A server puts error details in the details of a google.rpc.Status.",
  },
  "grpc:error-info": {
    section: "10.6",
    level: "MUST",
    text: "A server adds to the status of a protocol error an ErrorInfo with its reason and the domain a2a-protocol.org.",
  },
} as const;
