"""The agent of the 0.2 and 0.3 lines of a2a-sdk, in every binding that they serve. It does what the first word says."""

import base64
import hashlib
import importlib.metadata

import httpx
from a2a.grpc.a2a_pb2_grpc import add_A2AServiceServicer_to_server
from a2a.server.agent_execution import AgentExecutor
from a2a.server.apps import A2AFastAPIApplication
from a2a.server.request_handlers import DefaultRequestHandler
from a2a.server.request_handlers.grpc_handler import GrpcHandler
from a2a.server.tasks import (
    BasePushNotificationSender,
    InMemoryPushNotificationConfigStore,
    InMemoryTaskStore,
    TaskUpdater,
)
from a2a.types import AgentCapabilities, AgentCard, AgentInterface, AgentSkill, FileWithUri, Part, TextPart
from a2a.utils import new_agent_text_message, new_task

from serving import read, run

LINE = importlib.metadata.version("a2a-sdk").rpartition(".")[0]


def text_part(text):
    return Part(root=TextPart(text=text))


def described(part):
    file = part.root.file
    if isinstance(file, FileWithUri):
        content = file.uri
    else:
        content = hashlib.sha256(base64.b64decode(file.bytes)).hexdigest()
    return f"{file.name} {file.mime_type} {content}"


class Actor(AgentExecutor):
    async def execute(self, context, event_queue):
        text = context.get_user_input()
        word, _, rest = text.partition(" ")
        if word == "say":
            await event_queue.enqueue_event(new_agent_text_message(rest))
            return
        task = context.current_task
        updater = TaskUpdater(event_queue, context.task_id, context.context_id)
        if task is None:
            await event_queue.enqueue_event(new_task(context.message))
        if word == "ask":
            return await updater.requires_input(updater.new_agent_message([text_part("Which colour?")]), final=True)
        await updater.start_work()
        if task is not None:
            await updater.add_artifact([text_part(f"You chose {text}")])
        if word == "echo":
            await updater.add_artifact([text_part(f"echo: {rest}")])
        if word == "files":
            files = [part for part in context.message.parts if part.root.kind == "file"]
            await updater.add_artifact([text_part("\n".join(map(described, files))), *files])
        if word == "hold":
            await updater.add_artifact([text_part("one ")], artifact_id="answer")
            await updater.add_artifact([text_part("two ")], artifact_id="answer", append=True)
            await read(rest)
            await updater.add_artifact([text_part("three")], artifact_id="answer", append=True, last_chunk=True)
        await updater.complete()

    async def cancel(self, context, event_queue):
        await TaskUpdater(event_queue, context.task_id, context.context_id).cancel()


def build(http_url, grpc_address, push):
    bindings = ["GRPC"] if LINE == "0.2" else ["HTTP+JSON", "GRPC"]
    places = {"HTTP+JSON": http_url, "GRPC": grpc_address}
    card = AgentCard(
        name="Actor",
        description="Does what the first word of a message says",
        version="1.0.0",
        url=http_url,
        preferred_transport="JSONRPC",
        additional_interfaces=[AgentInterface(url=places[binding], transport=binding) for binding in bindings],
        capabilities=AgentCapabilities(streaming=True, push_notifications=push),
        default_input_modes=["*/*"],
        default_output_modes=["*/*"],
        skills=[AgentSkill(id="act", name="Act", description="Acts", tags=["test"])],
    )
    configs = InMemoryPushNotificationConfigStore() if push else None
    sender = BasePushNotificationSender(httpx.AsyncClient(), configs) if push else None
    handler = DefaultRequestHandler(Actor(), InMemoryTaskStore(), push_config_store=configs, push_sender=sender)
    app = A2AFastAPIApplication(card, handler).build()
    if LINE == "0.3":
        from a2a.server.apps import A2ARESTFastAPIApplication

        app.mount("/", A2ARESTFastAPIApplication(card, handler).build())
    return app, lambda server: add_A2AServiceServicer_to_server(GrpcHandler(card, handler), server)


run(build)
