"""An umpire for each test: `umpire(*arguments)` starts one and answers how it is asked."""

import os
from contextlib import asynccontextmanager

import anyio
import pytest
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

BLAZON = os.environ["BLAZON"]


class Refused(Exception):
    """What was asked was not done."""

    def __init__(self, told):
        super().__init__(str(told))
        self.told = told


class Asked:
    """The client's end."""

    def __init__(self, session):
        self.session = session

    async def __call__(self, tool, **arguments):
        result = await self.session.call_tool(tool, arguments)
        if result.is_error:
            raise Refused(result.structured_content or result.content[0].text)
        return result.structured_content


@pytest.fixture
def umpire():
    """Runs a story with an umpire that is started by these arguments."""

    def run(story, *arguments):
        @asynccontextmanager
        async def started():
            about = StdioServerParameters(command=BLAZON, args=["mcp", *arguments])
            async with stdio_client(about) as streams, ClientSession(*streams) as session:
                await session.initialize()
                yield Asked(session)

        async def whole():
            async with started() as ask:
                await story(ask)

        anyio.run(whole)

    return run
