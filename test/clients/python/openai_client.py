"""OpenAI's own client for Python, unmodified but for base URL and key.

usage: openai_client.py BASE_URL
"""

import asyncio
import sys

from conversation import converse
from openai import AsyncOpenAI, OpenAI

BASE_URL = sys.argv[1]
QUESTION = {
    "model": "service-llm-1-small",
    "messages": [{"role": "user", "content": "Say hello."}],
    "temperature": 0,
}


def client(key, **options):
    return OpenAI(base_url=BASE_URL, api_key=key, **options)


def chat(key, **more):
    return client(key).chat.completions.create(**QUESTION, max_tokens=8, **more).model_dump()


def stream(key):
    """The raw iterator."""
    chunks = list(client(key).chat.completions.create(**QUESTION, max_tokens=8, stream=True))
    return {"chunks": [chunk.model_dump(exclude_unset=True) for chunk in chunks]}


def stream_helper(key, max_tokens=8):
    # The client itself raises LengthFinishReasonError when the answer was cut at max_tokens.
    with client(key).chat.completions.stream(**QUESTION, max_tokens=max_tokens) as stream:
        events = [(event.type, getattr(event, "delta", None)) for event in stream]
        completion = stream.get_final_completion()
    return {
        "events": [name for name, _ in events],
        "deltas": "".join(delta for name, delta in events if name == "content.delta"),
        "content": completion.choices[0].message.content,
        "finish_reason": completion.choices[0].finish_reason,
    }


def embed(key, input, headers=None, retries=2, **more):
    response = client(key, max_retries=retries).embeddings.create(
        model="service-embed-1", input=input, extra_headers=headers, **more
    )
    return response.model_dump()


def asynchronous(key):
    async def both():
        async with AsyncOpenAI(base_url=BASE_URL, api_key=key) as api:
            chat, embeddings = await asyncio.gather(
                api.chat.completions.create(**QUESTION, max_tokens=8),
                api.embeddings.create(model="service-embed-1", input="hola"),
            )
            pieces = await api.chat.completions.create(**QUESTION, max_tokens=8, stream=True)
            ends = [chunk.choices[0].finish_reason async for chunk in pieces]
        return {"chat": chat.model_dump(), "embeddings": embeddings.model_dump(), "ends": ends}

    return asyncio.run(both())


def models(key):
    return {"ids": [model.id for model in client(key).models.list()]}


def model(key, id):
    return client(key).models.retrieve(id).model_dump()


converse([chat, stream, stream_helper, embed, asynchronous, models, model])
