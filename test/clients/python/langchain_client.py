"""LangChain's classes over OpenAI-compatible servers.

usage: langchain_client.py BASE_URL
"""

import sys

from conversation import converse
from langchain_openai import ChatOpenAI, OpenAIEmbeddings
from pydantic import BaseModel

BASE_URL = sys.argv[1]


class Reason(BaseModel):
    """Why a customer calls."""

    reason: str


def model(key, **more):
    return ChatOpenAI(base_url=BASE_URL, api_key=key, model="service-llm-1-small", **more)


def invoke(key, extra_body=None, max_tokens=None):
    message = model(key, max_tokens=max_tokens, extra_body=extra_body).invoke("Di hola.")
    return {
        "content": message.content,
        "finish_reason": message.response_metadata["finish_reason"],
        "usage": dict(message.usage_metadata),
    }


def stream(key):
    chunks = list(model(key, extra_body={"max_tokens": 8}).stream("Di hola."))
    whole = chunks[0]
    for chunk in chunks[1:]:
        whole += chunk
    return {"count": len(chunks), "content": whole.content, "finish_reason": whole.response_metadata["finish_reason"]}


def structured(key):
    reader = model(key).with_structured_output(Reason, method="json_mode")
    answer = reader.invoke('Responde solo con el JSON {"reason": "..."}: ¿por qué llama el cliente? Quiere cancelar.')
    return answer.model_dump()


def embeddings(key, **more):
    # Texts are sent as they are; otherwise LangChain cuts them into tokens of another model first.
    return OpenAIEmbeddings(
        base_url=BASE_URL, api_key=key, model="service-embed-1", check_embedding_ctx_length=False, chunk_size=256, **more
    )


def embed_documents(key, texts, **more):
    return {"vectors": embeddings(key, **more).embed_documents(texts)}


def embed_query(key, text):
    return {"vector": embeddings(key).embed_query(text)}


converse([invoke, stream, structured, embed_documents, embed_query])
