"""Opens the servers of an agent on free ports of this machine, and says where they are."""

import asyncio
import json
import os
import socket
import sys

import grpc
import httpx
import uvicorn


async def read(url):
    """Waits at a gate: it answers when the runner opens it."""
    async with httpx.AsyncClient(timeout=60) as http:
        await http.get(url)


async def open_servers(app, add_services):
    """Serves an ASGI application, and the gRPC services that `add_services` adds to a server."""
    listening = socket.create_server(("127.0.0.1", 0))
    config = uvicorn.Config(app, log_level="error")
    http = asyncio.create_task(uvicorn.Server(config).serve([listening]))
    grpc_server = grpc.aio.server()
    add_services(grpc_server)
    grpc_port = grpc_server.add_insecure_port("127.0.0.1:0")
    await grpc_server.start()
    told = {"http": f"http://127.0.0.1:{listening.getsockname()[1]}", "grpc": f"127.0.0.1:{grpc_port}"}
    # A gRPC server that nobody refers to stops.
    return told, [http, grpc_server]


async def serve_both(build):
    """
    Opens the agent with push notifications, and the agent without. The arguments of the program are the addresses that their
    cards name, over HTTP and over gRPC.
    """
    whole_http, whole_grpc, bare_http, bare_grpc = sys.argv[1:]
    whole, _running = await open_servers(*build(whole_http, whole_grpc, True))
    without_push, _also_running = await open_servers(*build(bare_http, bare_grpc, False))
    print(json.dumps({"whole": whole, "withoutPush": without_push}), flush=True)
    # The runner has gone when its end of standard input is closed.
    await asyncio.to_thread(sys.stdin.read)
    os._exit(0)


def run(build):
    asyncio.run(serve_both(build))
