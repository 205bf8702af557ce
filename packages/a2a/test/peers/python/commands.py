"""Commands come as lines of JSON on standard input: `{"id", "do", ...}`, several at a time. What becomes of them goes to
standard output: `{"ready"}` first, then `{"id", "event"}` for each event of a stream, then `{"id", "result"}`, or `{"id", "error": {"type",
"word", "text"}}` where `word` names the error if the SDK gave it a type of its own, is `status …` if the SDK tells no
more than that, and `not offered` if the SDK has no such operation."""

import asyncio
import inspect
import json
import sys


class NotOffered(Exception):
    """This line of the SDK has no such operation."""


def tell(line):
    sys.stdout.write(json.dumps(line) + "\n")
    sys.stdout.flush()


async def answer(peer, word_of, command):
    number = command["id"]
    try:
        doing = getattr(peer, command["do"])(command)
        if inspect.isasyncgen(doing):
            async for event in doing:
                tell({"id": number, "event": event})
            tell({"id": number, "result": None})
        else:
            tell({"id": number, "result": await doing})
    except Exception as error:
        text = f"{error}" or repr(error)
        lacks = isinstance(error, (NotOffered, NotImplementedError))
        word = "not offered" if lacks else word_of(error)
        tell({"id": number, "error": {"type": type(error).__name__, "word": word, "text": text}})


async def run(peer, word_of):
    reader = asyncio.StreamReader(limit=2**26)
    protocol = asyncio.StreamReaderProtocol(reader)
    await asyncio.get_running_loop().connect_read_pipe(lambda: protocol, sys.stdin)
    under_way = set()
    tell({"ready": True})
    while line := await reader.readline():
        task = asyncio.create_task(answer(peer, word_of, json.loads(line)))
        under_way.add(task)
        task.add_done_callback(under_way.discard)


def serve_commands(peer, word_of):
    asyncio.run(run(peer, word_of))
