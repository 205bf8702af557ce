"""A client of the 0.2 and 0.3 lines of a2a-sdk. Takes commands as lines of JSON: see commands.py."""

import importlib.metadata
import uuid

import grpc
import httpx
from a2a import types
from a2a.client import A2ACardResolver

from commands import NotOffered, serve_commands

LINE = importlib.metadata.version("a2a-sdk").rpartition(".")[0]

# These lines read every JSON-RPC error as a JSONRPCError, although they have a class for each code.
WORDS = {
    -32001: "task-not-found",
    -32002: "task-not-cancelable",
    -32003: "push-notification-not-supported",
    -32004: "unsupported-operation",
    -32602: "invalid-params",
}


class RpcError(Exception):
    """What 0.2 returns for an error, and does not raise."""

    def __init__(self, error):
        super().__init__(repr(error))
        self.error = error


def word_of(error):
    """The type of an error. Over gRPC and REST these lines have none, and only tell the status."""
    if isinstance(error, grpc.aio.AioRpcError):
        return f"status {error.code().name}"
    told = getattr(error, "error", None)
    if told is not None:
        return WORDS.get(getattr(told, "root", told).code)
    status = getattr(error, "status_code", None)
    return None if status is None else f"status {status}"


def part_of(part):
    if "text" in part:
        return types.Part(root=types.TextPart(text=part["text"]))
    told = {"mime_type": part["mediaType"], "name": part["name"]}
    if "bytes" in part:
        file = types.FileWithBytes(bytes=part["bytes"], **told)
    else:
        file = types.FileWithUri(uri=part["url"], **told)
    return types.Part(root=types.FilePart(file=file))


def tell_part(part):
    part = part.root
    if part.kind == "text":
        return {"text": part.text}
    if part.kind == "data":
        return {"data": part.data}
    told = {"mediaType": part.file.mime_type, "name": part.file.name}
    if isinstance(part.file, types.FileWithBytes):
        return {"bytes": part.file.bytes, **told}
    return {"url": part.file.uri, **told}


def tell_parts(parts):
    return [tell_part(part) for part in parts]


def tell_said(status):
    return tell_parts(status.message.parts) if status.message else []


def tell_event(event):
    if event.kind == "message":
        return {"kind": "message", "parts": tell_parts(event.parts)}
    if event.kind == "status-update":
        state = event.status.state.value
        return {"kind": "status", "id": event.task_id, "state": state, "said": tell_said(event.status)}
    if event.kind == "artifact-update":
        parts = tell_parts(event.artifact.parts)
        return {"kind": "artifact", "id": event.task_id, "parts": parts, "append": event.append or False}
    return {
        "kind": "task",
        "id": event.id,
        "contextId": event.context_id,
        "state": event.status.state.value,
        "said": tell_said(event.status),
        "parts": [part for artifact in event.artifacts or [] for part in tell_parts(artifact.parts)],
        "history": [tell_parts(message.parts) for message in event.history or []],
    }


def tell_push(config):
    config = config.push_notification_config
    return {"id": config.id, "url": config.url, "token": config.token}


async def read_card(base):
    async with httpx.AsyncClient() as http:
        return await A2ACardResolver(http, base).get_agent_card()


def message_of(command):
    return types.Message(
        role=types.Role.user,
        message_id=str(uuid.uuid4()),
        parts=[part_of(part) for part in command["parts"]],
        task_id=command.get("taskId"),
        context_id=command.get("contextId"),
    )


def push_of(command):
    return types.TaskPushNotificationConfig(
        task_id=command["taskId"], push_notification_config=types.PushNotificationConfig(**command["push"])
    )


class Peer02:
    """The A2AClient and the A2AGrpcClient of 0.2, which have the same methods with different arguments."""

    def __init__(self):
        self.clients = {}

    async def client(self, command):
        key = (command["url"], command["binding"])
        if key not in self.clients:
            card = await read_card(command["base"])
            card.url = command["url"]
            self.clients[key] = self.create(card, command["binding"])
        return self.clients[key]

    def create(self, card, binding):
        from a2a.client import A2AClient, A2AGrpcClient
        from a2a.grpc.a2a_pb2_grpc import A2AServiceStub

        if binding == "GRPC":
            return A2AGrpcClient(A2AServiceStub(grpc.aio.insecure_channel(card.url)), card)
        return A2AClient(httpx.AsyncClient(timeout=30), card)

    async def call(self, command, method, request, params):
        client = await self.client(command)
        return await self.call_on(client, method, request, params)

    async def call_on(self, client, method, request, params):
        if hasattr(client, "stub"):
            return await getattr(client, method)(params)
        answer = await getattr(client, method)(request(id=str(uuid.uuid4()), params=params))
        if hasattr(answer.root, "error"):
            raise RpcError(answer.root.error)
        return answer.root.result

    def sending(self, command):
        configuration = types.MessageSendConfiguration(accepted_output_modes=["*/*"], blocking=command.get("wait", True))
        return types.MessageSendParams(message=message_of(command), configuration=configuration)

    async def card(self, command):
        """Reads the card, and calls the agent with nothing but what the card says."""
        card = await read_card(command["base"])
        if command["binding"] == "GRPC":
            interfaces = card.additional_interfaces or []
            card.url = next(one.url for one in interfaces if one.transport == "GRPC")
        client = self.create(card, command["binding"])
        answer = await self.call_on(client, "send_message", types.SendMessageRequest, self.sending(command))
        return {"name": card.name, "answer": tell_event(answer)}

    async def send(self, command):
        return tell_event(await self.call(command, "send_message", types.SendMessageRequest, self.sending(command)))

    async def stream(self, command):
        client = await self.client(command)
        params = self.sending(command)
        if command["binding"] == "GRPC":
            async for event in client.send_message_streaming(params):
                yield tell_event(event)
            return
        request = types.SendStreamingMessageRequest(id=str(uuid.uuid4()), params=params)
        async for answer in client.send_message_streaming(request):
            if hasattr(answer.root, "error"):
                raise RpcError(answer.root.error)
            yield tell_event(answer.root.result)

    async def get(self, command):
        params = types.TaskQueryParams(id=command["taskId"])
        return tell_event(await self.call(command, "get_task", types.GetTaskRequest, params))

    async def cancel(self, command):
        params = types.TaskIdParams(id=command["taskId"])
        return tell_event(await self.call(command, "cancel_task", types.CancelTaskRequest, params))

    async def setPush(self, command):
        request = types.SetTaskPushNotificationConfigRequest
        return tell_push(await self.call(command, "set_task_callback", request, push_of(command)))

    async def getPush(self, command):
        params = types.TaskIdParams(id=command["taskId"])
        request = types.GetTaskPushNotificationConfigRequest
        return tell_push(await self.call(command, "get_task_callback", request, params))

    def subscribe(self, command):
        raise NotOffered

    list = listPush = deletePush = subscribe


class Peer03:
    """The Client of 0.3, made by its ClientFactory."""

    def __init__(self):
        self.clients = {}

    async def client(self, command, streaming):
        key = (command["url"], command["binding"], streaming)
        if key not in self.clients:
            card = await read_card(command["base"])
            card.url, card.preferred_transport, card.additional_interfaces = command["url"], command["binding"], []
            self.clients[key] = self.create(card, command["binding"], streaming)
        return self.clients[key]

    def create(self, card, binding, streaming):
        from a2a.client import ClientConfig, ClientFactory

        config = ClientConfig(
            streaming=streaming,
            httpx_client=httpx.AsyncClient(timeout=30),
            grpc_channel_factory=grpc.aio.insecure_channel,
            supported_transports=[binding],
        )
        return ClientFactory(config).create(card)

    async def card(self, command):
        """Reads the card, and calls the agent with nothing but what the card says."""
        card = await read_card(command["base"])
        client = self.create(card, command["binding"], False)
        async for event in client.send_message(message_of(command)):
            return {"name": card.name, "answer": tell_event(event[0])}

    async def send(self, command):
        client = await self.client(command, False)
        configuration = types.MessageSendConfiguration(blocking=command.get("wait", True))
        async for event in client.send_message(message_of(command), configuration=configuration):
            return tell_event(event[0] if isinstance(event, tuple) else event)

    async def stream(self, command):
        client = await self.client(command, True)
        async for event in client.send_message(message_of(command)):
            yield tell_event(event if not isinstance(event, tuple) else event[1] or event[0])

    async def subscribe(self, command):
        client = await self.client(command, True)
        async for task, update in client.resubscribe(types.TaskIdParams(id=command["taskId"])):
            yield tell_event(update or task)

    async def get(self, command):
        client = await self.client(command, False)
        return tell_event(await client.get_task(types.TaskQueryParams(id=command["taskId"])))

    async def cancel(self, command):
        client = await self.client(command, False)
        return tell_event(await client.cancel_task(types.TaskIdParams(id=command["taskId"])))

    async def setPush(self, command):
        client = await self.client(command, False)
        return tell_push(await client.set_task_callback(push_of(command)))

    async def getPush(self, command):
        client = await self.client(command, False)
        params = types.GetTaskPushNotificationConfigParams(
            id=command["taskId"], push_notification_config_id=command["pushId"]
        )
        return tell_push(await client.get_task_callback(params))

    def list(self, command):
        raise NotOffered

    listPush = deletePush = list


serve_commands(Peer02() if LINE == "0.2" else Peer03(), word_of)
