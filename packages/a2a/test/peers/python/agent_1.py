"""The agent of the 1.x line of a2a-sdk, in every binding and version that it serves. It does what the first word says."""

import hashlib

import httpx
from a2a.compat.v0_3.a2a_v0_3_pb2_grpc import add_A2AServiceServicer_to_server as add_service_0_3
from a2a.compat.v0_3.grpc_handler import CompatGrpcHandler
from a2a.helpers import get_message_text, new_task_from_user_message, new_text_message, new_text_part
from a2a.server.agent_execution import AgentExecutor
from a2a.server.request_handlers import DefaultRequestHandler
from a2a.server.request_handlers.grpc_handler import GrpcHandler
from a2a.server.routes import create_agent_card_routes, create_jsonrpc_routes, create_rest_routes
from a2a.server.tasks import (
    BasePushNotificationSender,
    InMemoryPushNotificationConfigStore,
    InMemoryTaskStore,
    TaskUpdater,
)
from a2a.types import a2a_pb2 as pb
from a2a.types.a2a_pb2_grpc import add_A2AServiceServicer_to_server as add_service_1_0
from starlette.applications import Starlette

from serving import read, run


def described(part):
    content = part.url or hashlib.sha256(part.raw).hexdigest()
    return f"{part.filename} {part.media_type} {content}"


class Actor(AgentExecutor):
    async def execute(self, context, event_queue):
        text = get_message_text(context.message)
        word, _, rest = text.partition(" ")
        if word == "say":
            await event_queue.enqueue_event(new_text_message(rest))
            return
        task = context.current_task
        updater = TaskUpdater(event_queue, context.task_id, context.context_id)
        if task is None:
            await event_queue.enqueue_event(new_task_from_user_message(context.message))
        if word == "ask":
            return await updater.requires_input(updater.new_agent_message([new_text_part("Which colour?")]))
        await updater.start_work()
        if task is not None:
            await updater.add_artifact([new_text_part(f"You chose {text}")])
        if word == "echo":
            await updater.add_artifact([new_text_part(f"echo: {rest}")])
        if word == "files":
            files = [part for part in context.message.parts if not part.HasField("text")]
            await updater.add_artifact([new_text_part("\n".join(map(described, files))), *files])
        if word == "hold":
            await updater.add_artifact([new_text_part("one ")], artifact_id="answer")
            await updater.add_artifact([new_text_part("two ")], artifact_id="answer", append=True)
            await read(rest)
            await updater.add_artifact([new_text_part("three")], artifact_id="answer", append=True, last_chunk=True)
        await updater.complete()

    async def cancel(self, context, event_queue):
        await TaskUpdater(event_queue, context.task_id, context.context_id).cancel()


def build(http_url, grpc_address, push):
    places = {"JSONRPC": http_url, "HTTP+JSON": http_url, "GRPC": grpc_address}
    card = pb.AgentCard(
        name="Actor",
        description="Does what the first word of a message says",
        version="1.0.0",
        supported_interfaces=[
            pb.AgentInterface(url=url, protocol_binding=binding, protocol_version=version)
            for version in ("1.0", "0.3")
            for binding, url in places.items()
        ],
        capabilities=pb.AgentCapabilities(streaming=True, push_notifications=push),
        default_input_modes=["*/*"],
        default_output_modes=["*/*"],
        skills=[pb.AgentSkill(id="act", name="Act", description="Acts", tags=["test"])],
    )
    configs = InMemoryPushNotificationConfigStore() if push else None
    sender = BasePushNotificationSender(httpx.AsyncClient(), configs) if push else None
    handler = DefaultRequestHandler(
        Actor(), InMemoryTaskStore(), agent_card=card, push_config_store=configs, push_sender=sender
    )
    routes = [
        *create_agent_card_routes(card),
        *create_jsonrpc_routes(handler, "/", enable_v0_3_compat=True),
        *create_rest_routes(handler, enable_v0_3_compat=True),
    ]

    def add_services(server):
        add_service_1_0(GrpcHandler(handler), server)
        add_service_0_3(CompatGrpcHandler(handler), server)

    return Starlette(routes=routes), add_services


run(build)
