"""A client of the 1.x line of a2a-sdk. Takes commands as lines of JSON, and answers with lines of JSON: see commands.py."""

import base64
import uuid

import httpx
from a2a.client import A2ACardResolver, ClientConfig, ClientFactory
from a2a.types import a2a_pb2 as pb
from a2a.utils import errors
from google.protobuf.json_format import MessageToDict

from commands import serve_commands

ERRORS = {
    errors.TaskNotFoundError: "task-not-found",
    errors.TaskNotCancelableError: "task-not-cancelable",
    errors.PushNotificationNotSupportedError: "push-notification-not-supported",
    errors.UnsupportedOperationError: "unsupported-operation",
    errors.InvalidParamsError: "invalid-params",
}


def word_of(error):
    return ERRORS.get(type(error))


def part_of(part):
    if "text" in part:
        return pb.Part(text=part["text"])
    told = {"media_type": part["mediaType"], "filename": part["name"]}
    if "bytes" in part:
        return pb.Part(raw=base64.b64decode(part["bytes"]), **told)
    return pb.Part(url=part["url"], **told)


def tell_part(part):
    kind = part.WhichOneof("content")
    if kind == "text":
        return {"text": part.text}
    if kind == "data":
        return {"data": MessageToDict(part.data)}
    told = {"mediaType": part.media_type, "name": part.filename}
    if kind == "raw":
        return {"bytes": base64.b64encode(part.raw).decode(), **told}
    return {"url": part.url, **told}


def tell_parts(parts):
    return [tell_part(part) for part in parts]


def tell_state(status):
    return pb.TaskState.Name(status.state).removeprefix("TASK_STATE_").lower().replace("_", "-")


def tell_task(task):
    parts = [part for artifact in task.artifacts for part in artifact.parts]
    return {
        "kind": "task",
        "id": task.id,
        "contextId": task.context_id,
        "state": tell_state(task.status),
        "said": tell_parts(task.status.message.parts),
        "parts": tell_parts(parts),
        "history": [tell_parts(message.parts) for message in task.history],
    }


def tell_event(event):
    kind = event.WhichOneof("payload")
    if kind == "task":
        return tell_task(event.task)
    if kind == "message":
        return {"kind": "message", "parts": tell_parts(event.message.parts)}
    if kind == "status_update":
        update = event.status_update
        said = tell_parts(update.status.message.parts)
        return {"kind": "status", "id": update.task_id, "state": tell_state(update.status), "said": said}
    update = event.artifact_update
    return {"kind": "artifact", "id": update.task_id, "parts": tell_parts(update.artifact.parts), "append": update.append}


def tell_push(config):
    return {"id": config.id, "url": config.url, "token": config.token}


class Peer:
    def __init__(self):
        self.cards = {}
        self.clients = {}

    async def read_card(self, base):
        async with httpx.AsyncClient() as http:
            return await A2ACardResolver(http, base).get_agent_card()

    async def client(self, command, streaming):
        """The client of an interface, as the card says except where it is."""
        key = (command["url"], command["binding"], command["version"], streaming)
        if key not in self.clients:
            card = await self.read_card(command["base"])
            del card.supported_interfaces[:]
            card.supported_interfaces.add(
                url=command["url"], protocol_binding=command["binding"], protocol_version=command["version"]
            )
            self.clients[key] = self.create(card, command["binding"], streaming)
        return self.clients[key]

    def create(self, card, binding, streaming):
        import grpc

        config = ClientConfig(
            streaming=streaming,
            httpx_client=httpx.AsyncClient(timeout=30),
            grpc_channel_factory=grpc.aio.insecure_channel,
            supported_protocol_bindings=[binding],
        )
        return ClientFactory(config).create(card)

    def request(self, command):
        message = pb.Message(
            role=pb.ROLE_USER,
            message_id=str(uuid.uuid4()),
            parts=[part_of(part) for part in command["parts"]],
            task_id=command.get("taskId"),
            context_id=command.get("contextId"),
        )
        request = pb.SendMessageRequest(message=message)
        request.configuration.return_immediately = command.get("wait") is False
        if "push" in command:
            push = command["push"]
            request.configuration.task_push_notification_config.url = push["url"]
            request.configuration.task_push_notification_config.token = push["token"]
        return request

    async def card(self, command):
        """Reads the card, and calls the agent with nothing but what the card says."""
        card = await self.read_card(command["base"])
        interfaces = [[one.protocol_binding, one.protocol_version] for one in card.supported_interfaces]
        client = self.create(card, command["binding"], False)
        answers = [tell_event(event) async for event in client.send_message(self.request(command))]
        return {"name": card.name, "interfaces": interfaces, "answer": answers[0]}

    async def send(self, command):
        client = await self.client(command, False)
        async for event in client.send_message(self.request(command)):
            return tell_event(event)

    async def stream(self, command):
        client = await self.client(command, True)
        async for event in client.send_message(self.request(command)):
            yield tell_event(event)

    async def subscribe(self, command):
        client = await self.client(command, True)
        async for event in client.subscribe(pb.SubscribeToTaskRequest(id=command["taskId"])):
            yield tell_event(event)

    async def get(self, command):
        client = await self.client(command, False)
        return tell_task(await client.get_task(pb.GetTaskRequest(id=command["taskId"])))

    async def list(self, command):
        client = await self.client(command, False)
        request = pb.ListTasksRequest(context_id=command["contextId"], include_artifacts=True)
        found = await client.list_tasks(request)
        return {"tasks": [tell_task(task) for task in found.tasks], "total": found.total_size}

    async def cancel(self, command):
        client = await self.client(command, False)
        return tell_task(await client.cancel_task(pb.CancelTaskRequest(id=command["taskId"])))

    async def setPush(self, command):
        client = await self.client(command, False)
        push = command["push"]
        config = pb.TaskPushNotificationConfig(task_id=command["taskId"], url=push["url"], token=push["token"])
        if "id" in push:
            config.id = push["id"]
        return tell_push(await client.create_task_push_notification_config(config))

    async def getPush(self, command):
        client = await self.client(command, False)
        request = pb.GetTaskPushNotificationConfigRequest(task_id=command["taskId"], id=command["pushId"])
        return tell_push(await client.get_task_push_notification_config(request))

    async def listPush(self, command):
        client = await self.client(command, False)
        request = pb.ListTaskPushNotificationConfigsRequest(task_id=command["taskId"])
        return [tell_push(one) for one in (await client.list_task_push_notification_configs(request)).configs]

    async def deletePush(self, command):
        client = await self.client(command, False)
        request = pb.DeleteTaskPushNotificationConfigRequest(task_id=command["taskId"], id=command["pushId"])
        await client.delete_task_push_notification_config(request)
        return {}


serve_commands(Peer(), word_of)
